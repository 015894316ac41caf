package import JSONDocument

/// Follows `extends`, applies patches in order, and gives the merged definition or every problem.
package struct PipelineLoader: Sendable {
    private let source: any DefinitionSource

    package init(source: any DefinitionSource) {
        self.source = source
    }

    /// Loads a pipeline by shipped name or path and lays experiments and settings over it, in this order.
    package func load(
        _ reference: String,
        experiments: [ExperimentLayer] = [],
        settings: [CommandLineSetting] = []
    ) throws(PipelineError) -> PipelineDefinition {
        var problems: [PipelineProblem] = []
        var definition = try merged(reference, &problems)
        for experiment in experiments {
            let reader = JSONReader(experiment.patch)
            if let bytes = experiment.bytes {
                definition.files.append(DefinitionFile(name: experiment.file, bytes: bytes))
            }
            definition.layers?.patches.append(
                DefinitionLayers.Patch(
                    file: experiment.file,
                    json: experiment.patch,
                    isMember: false,
                    layer: .experiment
                )
            )
            definition.apply(
                patch: reader,
                in: experiment.file,
                layer: .experiment,
                alsoAllowing: ["$schema", "schema", "name", "summary"]
            )
            problems += reader.problems.list.map { PipelineProblem($0, in: experiment.file) }
        }
        definition.layers?.settings = settings
        for setting in settings { definition.apply(setting, &problems) }
        definition.readingProblems += problems
        return definition
    }

    private func merged(
        _ reference: String,
        _ problems: inout [PipelineProblem]
    ) throws(PipelineError) -> PipelineDefinition {
        var chain: [(file: DefinitionFile, reader: JSONReader)] = []
        var next: (reference: String, place: SourcePlace?)? = (reference, nil)
        while let wanted = next {
            let file = try find(wanted.reference, at: wanted.place, extendedBy: chain.last?.file.name)
            guard !chain.contains(where: { $0.file.identity == file.identity }) else {
                let path = (chain.map(\.file.name) + [file.name]).joined(separator: " → ")
                throw PipelineError(
                    problems + [
                        PipelineProblem(
                            wanted.place ?? SourcePlace(file: file.name),
                            "the files extend one another: \(path)"
                        )
                    ]
                )
            }
            let reader = JSONReader(try parse(file))
            chain.append((file, reader))
            if let schema = reader.required("schema")?.string(), schema != PipelineDefinition.schema {
                reader.note("expected \"\(PipelineDefinition.schema)\", found \"\(schema.prefix(60))\"", at: "schema")
            }
            next = reader.optional("extends").flatMap { extends in
                extends.string().map { ($0, SourcePlace(file: file.name, path: extends.path)) }
            }
        }
        guard let base = chain.popLast() else { preconditionFailure("a chain of files has at least one") }
        var definition = PipelineDefinition(base.reader, in: base.file.name)
        var layers = DefinitionLayers(file: base.file.name, base: base.reader.value)
        for (file, reader) in chain.reversed() {
            reader.expectOnly(["$schema", "schema", "name", "summary", "extends", "patch"])
            definition.name = reader.required("name")?.title() ?? definition.name
            definition.summary = reader.optional("summary")?.prose() ?? definition.summary
            definition.place = SourcePlace(file: file.name)
            guard let patch = reader.optional("patch") else { continue }
            layers.patches.append(
                DefinitionLayers.Patch(file: file.name, json: patch.value, isMember: true, layer: .file)
            )
            definition.apply(patch: patch, in: file.name, layer: .file)
        }
        definition.layers = layers
        definition.files = (chain + [base]).map(\.file)
        for (file, reader) in chain + [base] {
            problems += reader.problems.list.map { PipelineProblem($0, in: file.name) }
        }
        return definition
    }

    private func find(
        _ reference: String,
        at place: SourcePlace?,
        extendedBy file: String?
    ) throws(PipelineError) -> DefinitionFile {
        do throws(DefinitionSourceError) {
            return try source.definition(reference, extendedBy: file)
        } catch {
            throw PipelineError(
                [PipelineProblem(place ?? SourcePlace(file: reference), error.message)],
                unread: error.code
            )
        }
    }

    private func parse(_ file: DefinitionFile) throws(PipelineError) -> JSONValue {
        do throws(JSONSyntaxError) {
            return try JSONParser.parse(file.bytes)
        } catch {
            throw PipelineError([PipelineProblem(file: file.name, path: "$", message: "is no JSON: \(error)")])
        }
    }
}

extension PipelineDefinition {
    mutating func apply(_ setting: CommandLineSetting, _ problems: inout [PipelineProblem]) {
        let place = SourcePlace(file: CommandLineSetting.file, path: "\(setting.node).\(setting.parameter)")
        guard let index = nodes.firstIndex(where: { $0.id == setting.node }) else {
            let hint = NearestName.hint(for: setting.node.text, among: nodes.map(\.id.text))
            problems.append(PipelineProblem(place, "there is no node \"\(setting.node)\"\(hint)"))
            return
        }
        nodes[index].assign(
            setting.parameter,
            ParameterValues.Setting(value: setting.value, layer: .commandLine, origin: CommandLineSetting.file)
        )
        nodes[index].changedPlaces["parameters.\(setting.parameter)"] = place
    }
}

/// The bytes of a definition and the name under which its problems are reported.
package struct DefinitionFile: Sendable, Equatable {
    package let name: String
    /// The same for the same file, by whatever name.
    package let identity: String
    package let bytes: [UInt8]

    package init(name: String, identity: String? = nil, bytes: [UInt8]) {
        self.name = name
        self.identity = identity ?? name
        self.bytes = bytes
    }
}

/// Where pipeline files come from: shipped names and files on disk, or texts in a test.
package protocol DefinitionSource: Sendable {
    /// Finds a definition by shipped name or path; a relative path is meant from the file that names it.
    func definition(_ reference: String, extendedBy file: String?) throws(DefinitionSourceError) -> DefinitionFile
}

/// Why a definition could not be found or read.
package struct DefinitionSourceError: Error, Sendable, Equatable {
    package enum Code: String, Sendable {
        case unknownName = "unknown_name"
        case missingFile = "missing_file"
        case notPermitted = "not_permitted"
        case tooLarge = "too_large"
        /// The system's own reason.
        case unreadable
    }

    package let code: Code
    package let message: String

    package init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }
}

/// A patch somebody tries out on top of a pipeline.
package struct ExperimentLayer: Sendable {
    /// The file it came from.
    package let file: String
    package let patch: JSONValue
    /// What the file holds; without it problems have no line.
    let bytes: [UInt8]?

    package init(file: String, patch: JSONValue, bytes: [UInt8]? = nil) {
        self.file = file
        self.patch = patch
        self.bytes = bytes
    }
}

/// One `--set node.parameter=value`.
package struct CommandLineSetting: Sendable, Equatable {
    /// Stands for a file in its problems.
    static let file = "--set"

    package let node: NodeID
    package let parameter: String
    package let value: JSONValue

    package init(node: NodeID, parameter: String, value: JSONValue) {
        self.node = node
        self.parameter = parameter
        self.value = value
    }

    /// Reads `node.parameter=value`, where a value that is no JSON is a word; nil when it is not of that form.
    package init?(_ text: String) {
        guard let equals = text.firstIndex(of: "="), let dot = text[..<equals].firstIndex(of: ".") else { return nil }
        let node = text[..<dot]
        let parameter = text[text.index(after: dot)..<equals]
        let written = String(text[text.index(after: equals)...])
        guard !node.isEmpty, !parameter.isEmpty, !written.isEmpty else { return nil }
        self.node = NodeID(String(node))
        self.parameter = String(parameter)
        do throws(JSONSyntaxError) {
            value = try JSONParser.parse(written)
        } catch {
            value = .string(written)
        }
    }
}
