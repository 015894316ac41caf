import JSONDocument

/// A pipeline's file and the patches over it, by which a problem is placed at the change that brings it.
struct DefinitionLayers: Sendable {
    /// One patch, of a file that extends another or of an experiment.
    struct Patch: Sendable {
        let file: String
        var json: JSONValue
        /// Whether the file holds the patch as a member, and not as a whole.
        let isMember: Bool
        let layer: ParameterLayer

        var reader: JSONReader { JSONReader(json, path: isMember ? "$.patch" : "$") }
    }

    /// One change of a patch: what remains without it, and where it stands.
    private struct Change {
        let rest: JSONValue
        let path: String
    }

    /// Problems are the same when they say the same of a place; the names that would fit may differ.
    private struct Saying: Hashable {
        let file: String
        let path: String
        let words: Substring

        init(_ problem: PipelineProblem) {
            file = problem.file
            path = problem.path
            words = problem.message.prefix { $0 != ":" && $0 != ";" }
        }
    }

    let file: String
    let base: JSONValue
    var patches: [Patch] = []
    var settings: [CommandLineSetting] = []

    /// So many changes of a patch are tried one by one.
    private static let mostChanges = 256

    /// Returns the problems, each that a patch brings at the change without which it would not be there.
    func placed(
        _ problems: [PipelineProblem],
        check: (PipelineDefinition) -> [PipelineProblem]
    ) -> [PipelineProblem] {
        var problems = problems
        // A setting lies over all patches: what it breaks stands there.
        var open = Set(problems.indices.filter { problems[$0].file != CommandLineSetting.file })
        for (place, patch) in patches.enumerated().reversed() where !open.isEmpty {
            func sayings(with json: JSONValue) -> Set<Saying> {
                var others = patches
                others[place].json = json
                return Set(check(definition(others)).map(Saying.init))
            }
            let below = sayings(with: .object(JSONObject()))
            let brought = open.filter { !below.contains(Saying(problems[$0])) }
            open.subtract(brought)
            var strays = brought.filter { problems[$0].file != patch.file }
            for change in Self.changes(of: patch).prefix(Self.mostChanges) where !strays.isEmpty {
                let others = sayings(with: change.rest)
                for index in strays where !others.contains(Saying(problems[index])) {
                    problems[index] = problems[index].brought(by: SourcePlace(file: patch.file, path: change.path))
                    strays.remove(index)
                }
            }
            // Several changes bring it together.
            for index in strays {
                problems[index] = problems[index].brought(by: SourcePlace(file: patch.file, path: patch.reader.path))
            }
        }
        return problems
    }

    private func definition(_ patches: [Patch]) -> PipelineDefinition {
        var definition = PipelineDefinition(JSONReader(base), in: file)
        for patch in patches {
            if patch.isMember { definition.place = SourcePlace(file: patch.file) }
            definition.apply(patch: patch.reader, in: patch.file, layer: patch.layer)
        }
        var unheard: [PipelineProblem] = []
        for setting in settings { definition.apply(setting, &unheard) }
        return definition
    }

    /// Everything that can be taken out of a patch by itself.
    private static func changes(of patch: Patch) -> [Change] {
        changes(of: patch.reader, depth: 0) + additions(of: patch)
    }

    /// The head's fields, then the nodes' fields, inputs and parameters.
    private static func changes(of reader: JSONReader, depth: Int) -> [Change] {
        guard let object = reader.value.object else { return [] }
        return object.names.filter { depth > 0 || $0 != "add" }.flatMap { name -> [Change] in
            let isGroup =
                depth == 0 && name == "nodes" || depth == 1 || depth == 2 && ["inputs", "parameters"].contains(name)
            if isGroup, let member = reader.optional(name), member.value.object != nil {
                return changes(of: member, depth: depth + 1).map { change in
                    var rest = object
                    rest[name] = change.rest
                    return Change(rest: .object(rest), path: change.path)
                }
            }
            var rest = object
            rest[name] = nil
            return [Change(rest: .object(rest), path: reader.pathOf(name))]
        }
    }

    /// A node that is not added leaves its place empty, so that those behind it keep theirs.
    private static func additions(of patch: Patch) -> [Change] {
        guard let added = patch.reader.optional("add"), let items = added.value.array, var rest = patch.json.object
        else { return [] }
        return items.indices.map { index in
            var others = items
            others[index] = .null
            rest["add"] = .array(others)
            return Change(rest: .object(rest), path: "\(added.path)[\(index)]")
        }
    }
}

extension PipelineProblem {
    /// Moves a problem to the change that brings it; the message says where it shows.
    fileprivate func brought(by change: SourcePlace) -> PipelineProblem {
        PipelineProblem(change, "\(message) (in \(file) at \(path))", severity)
    }
}
