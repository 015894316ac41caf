/// Items that are still in the running, each id once.
package struct Pool<Item: GraphItem>: Sendable {
    package let items: [Item]

    package init(_ items: [Item]) {
        self.items = items
    }
}

/// Anything a graph can retrieve, drop, score and choose.
package protocol GraphItem: Sendable {
    var itemID: ItemID { get }
}

/// The name of one item that flows through a graph.
///
/// Every table of a run is keyed by these, so each carries a number made of its letters once.
package struct ItemID: Hashable, Sendable, Comparable, CustomStringConvertible {
    package let text: String
    /// FNV-1a of the text: a short cut for hashing and comparing, never a name of its own.
    let fingerprint: UInt64

    package init(_ text: String) {
        self.text = text
        var fingerprint: UInt64 = 0xcbf2_9ce4_8422_2325
        for byte in text.utf8 { fingerprint = (fingerprint ^ UInt64(byte)) &* 0x100_0000_01b3 }
        self.fingerprint = fingerprint
    }

    package static func == (left: Self, right: Self) -> Bool {
        left.fingerprint == right.fingerprint && left.text == right.text
    }
    package func hash(into hasher: inout Hasher) { hasher.combine(fingerprint) }
    package static func < (left: Self, right: Self) -> Bool { left.text < right.text }
    package var description: String { text }
}

/// What an aggregator made of several pools: every incoming item is kept, merged into a kept one, or cut with a reason.
package struct Union<Item: GraphItem>: Sendable {
    package var items: [Item]
    package var merged: [Merge]
    package var cut: [Removal]

    package init(items: [Item], merged: [Merge] = [], cut: [Removal] = []) {
        self.items = items
        self.merged = merged
        self.cut = cut
    }
}

/// One item that was found to be the same thing as another.
package struct Merge: Sendable, Hashable {
    package let absorbed: ItemID
    package let survivor: ItemID
    package let why: String

    package init(absorbed: ItemID, survivor: ItemID, why: String) {
        self.absorbed = absorbed
        self.survivor = survivor
        self.why = why
    }
}

/// One item that left the running, with the rule it met and what showed it.
package struct Removal: Sendable, Hashable {
    package let item: ItemID
    /// A short stable code such as `over_budget`.
    package let reason: String
    package let evidence: String

    package init(item: ItemID, reason: String, evidence: String) {
        self.item = item
        self.reason = reason
        self.evidence = evidence
    }
}

/// A rule that had to give way so that anything could be chosen.
package struct Relaxation: Sendable, Hashable {
    package let rule: String
    package let detail: String

    package init(rule: String, detail: String) {
        self.rule = rule
        self.detail = detail
    }
}

/// What a filter says of one item.
package enum FilterVerdict: Sendable, Hashable {
    case keep
    /// Kept although something is unknown or doubtful; the flags are traced.
    case keepFlagged([String])
    case drop(reason: String, evidence: String)
}
