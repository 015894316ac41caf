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
