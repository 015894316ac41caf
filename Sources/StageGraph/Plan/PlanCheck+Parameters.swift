import JSONDocument

extension PlanCheck {
    /// Checks every set value against its declaration and fills in the defaults.
    mutating func checkParameters() {
        for (index, node) in definition.nodes.enumerated() {
            var settings: [String: ParameterValues.Setting] = [:]
            guard let stage = stages[index] else {
                parameters.append(ParameterValues())
                continue
            }
            for declaration in stage.parameters {
                settings[declaration.name] = ParameterValues.Setting(
                    value: declaration.domain.normal(declaration.defaultValue) ?? declaration.defaultValue,
                    layer: .default
                )
            }
            for assignment in node.assignments {
                let field = "parameters.\(assignment.name)"
                guard let declaration = stage.parameter(named: assignment.name) else {
                    let hint = NearestName.hint(for: assignment.name, among: stage.parameters.map(\.name))
                    note(index, field, "\(stage.kind) has no parameter \"\(assignment.name)\"\(hint)")
                    continue
                }
                let setting = assignment.setting
                guard let value = declaration.domain.normal(setting.value) else {
                    let found = JSONWriter.text(setting.value).prefix(60)
                    note(index, field, "\(found) does not fit: expected \(declaration.domain.expectation)")
                    continue
                }
                settings[assignment.name] = ParameterValues.Setting(
                    value: value,
                    layer: setting.layer,
                    origin: setting.origin,
                    why: setting.why
                )
            }
            parameters.append(ParameterValues(settings))
        }
    }
}

extension PlanCheck {
    /// Asks every kind of stage what it has against the way its node is set up.
    mutating func checkSettings() {
        for (index, node) in definition.nodes.enumerated() {
            // Only what is set up by the rules can be judged as a whole.
            guard let stage = stages[index], index < parameters.count, !hasErrors(at: index) else { continue }
            let feeds = Dictionary(node.feeds.map { ($0.port, $0.nodes) }) { first, _ in first }
            for objection in stage.objections(StageSetting(parameters[index], feeds: feeds)) {
                note(index, objection.field, objection.message, objection.severity)
            }
        }
    }

    private func hasErrors(at index: Int) -> Bool {
        let node = definition.nodes[index]
        let places = Set([node.place] + node.changedPlaces.values)
        return problems.contains { problem in
            problem.severity == .error
                && places.contains {
                    $0.file == problem.file && ($0.path == problem.path || problem.path.hasPrefix($0.path + "."))
                }
        }
    }
}

extension ParameterDeclaration.Domain {
    /// The value in the one form that counts for the identity, or nil when it does not fit.
    func normal(_ value: JSONValue) -> JSONValue? {
        switch self {
        case .double(let range): value.double.flatMap { range.contains($0) ? .number($0 == 0 ? 0 : $0) : nil }
        case .integer(let range): Self.whole(value).flatMap { range.contains($0) ? .integer($0) : nil }
        case .bool: value.bool.map(JSONValue.bool)
        case .choice(let words): value.string.flatMap { words.contains($0) ? .string($0) : nil }
        }
    }

    /// What a person is told would fit.
    package var expectation: String {
        switch self {
        case .double(let range): "a number from \(range.lowerBound) to \(range.upperBound)"
        case .integer(let range): "a whole number from \(range.lowerBound) to \(range.upperBound)"
        case .bool: "true or false"
        case .choice(let words): "one of " + words.joined(separator: ", ")
        }
    }

    private static func whole(_ value: JSONValue) -> Int? {
        if let int = value.int { return int }
        return value.double.flatMap { Int(exactly: $0) }
    }
}
