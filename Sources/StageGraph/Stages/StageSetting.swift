/// What a node is to be made of, as far as it is known before any run: its parameters, and the nodes at its inputs.
package struct StageSetting: Sendable {
    package let parameters: ParameterValues
    /// By input, in declared order.
    let feeds: [String: [NodeID]]

    package init(_ parameters: ParameterValues, feeds: [String: [NodeID]] = [:]) {
        self.parameters = parameters
        self.feeds = feeds
    }

    /// The nodes that feed an input.
    package func nodes(at input: String) -> [NodeID] { feeds[input] ?? [] }

    /// Whether somebody set a parameter, be it to its own default.
    package func isSet(_ parameter: String) -> Bool {
        parameters.settings[parameter].map { $0.layer != .default } ?? false
    }

    /// Of several parameters the one that was set last: it is to blame where they do not fit together.
    package func latest(of parameters: [String]) -> String {
        let layer = { (name: String) in self.parameters.settings[name]?.layer ?? .default }
        return parameters.reversed().max { layer($0) < layer($1) } ?? ""
    }
}

/// What a kind of stage says against the way a node is set up.
package struct StageObjection: Sendable, Equatable {
    /// Where it lies inside the node, such as `parameters.hints` or `inputs.scores`.
    package let field: String
    package let message: String
    package let severity: PipelineProblem.Severity

    package init(_ field: String, _ message: String, _ severity: PipelineProblem.Severity = .error) {
        self.field = field
        self.message = message
        self.severity = severity
    }
}
