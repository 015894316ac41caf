/// One scorer's opinions of a pool; an item without an entry is missing, which is not zero.
package struct ScoreColumn: Sendable {
    /// The node that scored.
    package let node: NodeID
    private let table: ItemTable
    /// By the items' numbers.
    private let values: [Contribution]

    /// The values stand in the order of the table's numbers.
    init(node: NodeID, table: ItemTable, values: [Contribution]) {
        precondition(table.count == values.count, "a column needs one value for each of its items")
        self.node = node
        self.table = table
        self.values = values
    }

    /// The same opinions under the name of the node they stand for.
    func standing(for node: NodeID) -> ScoreColumn {
        node == self.node ? self : ScoreColumn(node: node, table: table, values: values)
    }

    /// The opinions by item.
    package var contributions: [ItemID: Contribution] {
        Dictionary(uniqueKeysWithValues: zip(table.items, values))
    }

    package subscript(item: ItemID) -> Contribution? { table[item].map { values[$0] } }
}

/// One scorer's opinion of one item.
package struct Contribution: Sendable, Hashable {
    package let value: Double
    package let evidence: [Evidence]

    package init(_ value: Double, evidence: [Evidence] = []) {
        self.value = value
        self.evidence = evidence
    }
}

/// What a score rests on: a hint, an interest, a date, with the share it had.
package struct Evidence: Sendable, Hashable {
    package let kind: String
    package let ref: String
    package let weight: Double

    package init(kind: String, ref: String, weight: Double) {
        self.kind = kind
        self.ref = ref
        self.weight = weight
    }
}

/// An item's score as a sum of named parts, so that an explanation is arithmetic.
package struct Total: Sendable, Hashable {
    /// One summand of a score.
    package struct Part: Sendable, Hashable {
        package let name: String
        package let value: Double

        package init(name: String, value: Double) {
            self.name = name
            self.value = value
        }
    }

    package let parts: [Part]
    package let evidence: [Evidence]

    package init(parts: [Part], evidence: [Evidence] = []) {
        self.parts = parts
        self.evidence = evidence
    }

    /// The parts added in order.
    package var score: Double { parts.reduce(0) { $0 + $1.value } }
}
