package import JSONDocument

/// A recorded run: the plan, the request and every effect, enough to run it again without an outside.
package struct Cassette: Sendable, Equatable {
    /// The merged pipeline definition the run was made with.
    package let plan: JSONValue
    package let request: JSONValue
    package let seed: UInt64
    package let effects: [RecordedEffect]

    package init(plan: JSONValue, request: JSONValue, seed: UInt64, effects: [RecordedEffect]) {
        self.plan = plan
        self.request = request
        self.seed = seed
        self.effects = effects
    }
}
