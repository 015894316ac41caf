package import Console
package import JSONDocument
package import StageGraph

/// Makes plans from what the command line names: pipeline, then experiment, then single parameters.
package struct Pipelines: Sendable {
    private let loader: PipelineLoader
    private let makePlan: @Sendable (PipelineDefinition) throws(PipelineError) -> Plan

    /// The shipped pipelines, and the stages that a pipeline may name.
    package init<Ports>(shipped: any DefinitionSource, catalog: StageCatalog<Ports>) {
        loader = PipelineLoader(source: PipelineFiles(shipped: shipped))
        makePlan = { (definition) throws(PipelineError) in try Plan(definition, catalog: catalog) }
    }

    /// Everything that would make a run fail because of its pipeline is found here, before anything else is read.
    package func plan(_ definition: PipelineDefinition) throws(PipelineError) -> Plan { try makePlan(definition) }

    /// The plan of a pipeline with an experiment and settings laid over it; problems end the command with 78, an unread file
    /// as any other does.
    package func plan(
        _ pipeline: PipelineReference,
        experiment: String?,
        settings: [CommandLineSetting]
    ) throws(CommandError) -> Plan {
        switch try attempt(pipeline, experiment: experiment, settings: settings) {
        case .success(let plan): return plan
        case .failure(let error): throw Self.failure(error, in: pipeline.description)
        }
    }

    /// Looks at a pipeline and reports what is wrong or odd; only a file that cannot be read is thrown.
    package func report(
        _ pipeline: PipelineReference,
        experiment: String?,
        settings: [CommandLineSetting]
    ) throws(CommandError) -> PipelineReport {
        switch try attempt(pipeline, experiment: experiment, settings: settings) {
        case .success(let plan):
            return PipelineReport(
                name: pipeline.description,
                hash: plan.identity,
                problems: [],
                warnings: plan.warnings.map(CommandProblem.init)
            )
        case .failure(let error) where error.unread?.exitCode != nil:
            throw Self.failure(error, in: pipeline.description)
        case .failure(let error):
            let warnings = error.problems.filter { $0.severity == .warning }
            let problems = error.problems.filter { $0.severity == .error }
            return PipelineReport(
                name: pipeline.description,
                hash: nil,
                problems: problems.map(CommandProblem.init),
                warnings: warnings.map(CommandProblem.init)
            )
        }
    }

    private func attempt(
        _ pipeline: PipelineReference,
        experiment: String?,
        settings: [CommandLineSetting]
    ) throws(CommandError) -> Result<Plan, PipelineError> {
        var layers: [ExperimentLayer] = []
        if let experiment { layers.append(try Self.layer(experiment)) }
        do throws(PipelineError) {
            let definition = try loader.load(pipeline.description, experiments: layers, settings: settings)
            return .success(try plan(definition))
        } catch {
            return .failure(error)
        }
    }

    static func layer(_ experiment: String) throws(CommandError) -> ExperimentLayer {
        let bytes = try InputFile.read(experiment)
        let patch = try InputFile.json(bytes, of: experiment, broken: .configuration)
        return ExperimentLayer(file: experiment, patch: patch, bytes: bytes)
    }

    /// `pipeline` is what it was named by; nil: the standard one.
    package static func failure(_ error: PipelineError, in pipeline: String?) -> CommandError {
        let problems = error.problems.filter { $0.severity == .error }
        if let code = error.unread?.exitCode, let first = problems.first {
            let todo = code == .notFound ? "check the path" : "check the file and its permissions"
            return CommandError(code, first.message, at: first.file, todo: todo)
        }
        if problems.count == 1, let only = problems.first {
            return CommandError(
                .configuration,
                only.message,
                at: only.place,
                todo: "repair the pipeline",
                problems: [CommandProblem(only)]
            )
        }
        return CommandError(
            .configuration,
            "\(problems.count) problems in the pipeline",
            at: pipeline ?? PipelineReference.standard.description,
            todo: "repair the pipeline",
            problems: problems.map(CommandProblem.init)
        )
    }
}

extension DefinitionSourceError.Code {
    /// The code of every input file that cannot be read; nil for a name that no shipped pipeline has.
    fileprivate var exitCode: ExitCode? {
        switch self {
        case .unknownName: nil
        case .missingFile: .notFound
        case .notPermitted: .notPermitted
        case .tooLarge: .badInput
        case .unreadable: .inputOutput
        }
    }
}

extension Pipelines {
    /// The plan a recording was made with, an experiment and settings laid over it.
    package func plan(
        recorded definition: JSONValue,
        in file: String,
        experiment: String?,
        settings: [CommandLineSetting]
    ) throws(CommandError) -> Plan {
        let layers = try experiment.map { path throws(CommandError) in [try Self.layer(path)] } ?? []
        let loader = PipelineLoader(source: RecordedPlan(bytes: JSONWriter.bytes(definition)))
        do throws(PipelineError) {
            return try plan(try loader.load(file, experiments: layers, settings: settings))
        } catch {
            throw Self.failure(error, in: file)
        }
    }
}

/// Pipelines by name or path: the shipped ones, and files on disk.
struct PipelineFiles: DefinitionSource {
    let shipped: any DefinitionSource

    func definition(
        _ reference: String,
        extendedBy file: String?
    ) throws(DefinitionSourceError) -> DefinitionFile {
        // What a file extends lies on disk or is shipped.
        guard case .file(let path) = PipelineReference(reference), file == nil || path != "-" else {
            return try shipped.definition(reference, extendedBy: file)
        }
        let place = Self.located(path, beside: file)
        do throws(CommandError) {
            let bytes = try InputFile.read(place)
            return DefinitionFile(name: InputFile.name(of: place), identity: FileStatus.resolved(place), bytes: bytes)
        } catch {
            let code: DefinitionSourceError.Code =
                switch error.code {
                case .notFound: .missingFile
                case .notPermitted: .notPermitted
                case .badInput: .tooLarge
                default: .unreadable
                }
            throw DefinitionSourceError(code, "\(error.what) (\(InputFile.name(of: place)))")
        }
    }

    /// A relative path is meant from the file that names it; a shipped pipeline has no place on disk.
    private static func located(_ path: String, beside file: String?) -> String {
        guard let file, !path.hasPrefix("/"), case .file = PipelineReference(file), let slash = file.lastIndex(of: "/")
        else { return path }
        return String(file[...slash]) + (path.hasPrefix("./") ? String(path.dropFirst(2)) : path)
    }
}

extension CommandProblem {
    /// A pipeline's problem with its place.
    package init(_ problem: PipelineProblem) {
        self.init(file: problem.file, path: problem.path, problem.message)
        fileLine = problem.line
    }
}

/// How a pipeline is named: one that ships with the program, or a file.
package enum PipelineReference: Sendable, Equatable, CustomStringConvertible {
    case shipped(String)
    case file(String)

    /// A slash or `.json` at the end makes it a file, as does `-` for standard input.
    package init(_ text: String) {
        self = text.contains("/") || text.hasSuffix(".json") || text == "-" ? .file(text) : .shipped(text)
    }

    /// What a run uses when nobody says otherwise.
    package static let standard = PipelineReference.shipped("choice-of-three")

    package var isFile: Bool {
        if case .file = self { true } else { false }
    }

    package var description: String {
        switch self {
        case .shipped(let name): name
        case .file(let path): path
        }
    }
}

/// The one definition a recording carries, whatever name is asked for.
struct RecordedPlan: DefinitionSource {
    let bytes: [UInt8]

    func definition(
        _ reference: String,
        extendedBy file: String?
    ) throws(DefinitionSourceError) -> DefinitionFile {
        DefinitionFile(name: reference, bytes: bytes)
    }
}

/// What was found in one pipeline.
package struct PipelineReport: Sendable {
    package let name: String
    /// The identity of the plan; nil when there is none because of problems.
    package let hash: String?
    /// What keeps it from running.
    package let problems: [CommandProblem]
    /// What is odd about it.
    package let warnings: [CommandProblem]
}
