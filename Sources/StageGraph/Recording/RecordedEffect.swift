package import JSONDocument

/// One look at the outside and what came back.
package struct RecordedEffect: Sendable, Equatable {
    /// What came back.
    package enum Answer: Sendable, Equatable {
        case value(JSONValue)
        case failure(StageFailure)
    }

    package let kind: EffectKind
    package let node: NodeID
    package let key: JSONValue
    package let answer: Answer

    package init(kind: EffectKind, node: NodeID, key: JSONValue, answer: Answer) {
        self.kind = kind
        self.node = node
        self.key = key
        self.answer = answer
    }

    /// What an answer is looked up by: the kind and the canonical key, never the node.
    var address: EffectAddress { EffectAddress(kind: kind, key: key) }
}
