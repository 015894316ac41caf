import JSONDocument
import StageGraph

/// Makes plans from what the command line names: pipeline, then experiment, then single parameters.
struct PipelineDesk: Sendable {
    private let loader: PipelineLoader
    private let makePlan: @Sendable (PipelineDefinition) throws(PipelineError) -> Plan

    /// The shipped pipelines, and the stages that a pipeline may name.
    init<Ports>(shipped: any DefinitionSource, catalog: StageCatalog<Ports>) {
        loader = PipelineLoader(source: PipelineFiles(shipped: shipped))
        makePlan = { (definition) throws(PipelineError) in try Plan(definition, catalog: catalog) }
    }

    /// Everything that would make a run fail because of its pipeline is found here, before anything else is read.
    func plan(_ definition: PipelineDefinition) throws(PipelineError) -> Plan { try makePlan(definition) }

    /// The plan of a pipeline with the shared options laid over it; problems end the command with 78, an unread file as any other does.
    func plan(_ pipeline: PipelineReference, _ options: SharedOptions) throws(CommandError) -> Plan {
        try plan(pipeline, experiment: options.experiment, settings: options.parameters)
    }

    /// The same with an experiment and settings named one by one, for a replay.
    func plan(
        _ pipeline: PipelineReference,
        experiment: String?,
        settings: [CommandLineSetting]
    ) throws(CommandError) -> Plan {
        switch try attempt(pipeline, experiment: experiment, settings: settings) {
        case .success(let plan): return plan
        case .failure(let error): throw Self.failure(error, in: pipeline)
        }
    }

    /// Looks at a pipeline and reports what is wrong or odd; only a file that cannot be read is thrown.
    func report(_ pipeline: PipelineReference, _ options: SharedOptions) throws(CommandError) -> PipelineReport {
        try report(pipeline, experiment: options.experiment, settings: options.parameters)
    }

    /// The same with an experiment and settings named one by one.
    func report(
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
            throw Self.failure(error, in: pipeline)
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
        ExperimentLayer(file: experiment, patch: try InputFile.readJSON(experiment, broken: .configuration))
    }

    static func failure(_ error: PipelineError, in pipeline: PipelineReference) -> CommandError {
        let problems = error.problems.filter { $0.severity == .error }
        if let code = error.unread?.exitCode, let first = problems.first {
            let todo = code == .notFound ? "check the path" : "check the file and its permissions"
            return CommandError(code, first.message, at: first.file, todo: todo)
        }
        if problems.count == 1, let only = problems.first {
            return CommandError(
                .configuration,
                only.message,
                at: "\(only.file): \(only.path)",
                todo: "repair the pipeline",
                problems: [CommandProblem(only)]
            )
        }
        return CommandError(
            .configuration,
            "\(problems.count) problems in the pipeline",
            at: pipeline.description,
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

extension PipelineDesk {
    /// The plan a recording was made with, an experiment and settings laid over it.
    func plan(
        recorded definition: JSONValue,
        in file: String,
        experiment: String?,
        settings: [CommandLineSetting]
    ) throws(CommandError) -> Plan {
        let layers = try experiment.map { path throws(CommandError) in [try Self.layer(path)] } ?? []
        do throws(PipelineError) {
            let loader = PipelineLoader(source: RecordedPlan(bytes: JSONWriter.bytes(definition)))
            return try plan(try loader.load(file, experiments: layers, settings: settings))
        } catch {
            throw Self.failure(error, in: .file(file))
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
            return DefinitionFile(name: InputFile.name(of: place), bytes: try InputFile.read(place))
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
        return String(file[...slash]) + path
    }
}

extension CommandProblem {
    /// A pipeline's problem with its place.
    init(_ problem: PipelineProblem) {
        self.init(file: problem.file, path: problem.path, problem.message)
    }
}
