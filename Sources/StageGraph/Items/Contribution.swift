/// One scorer's opinion of one item.
package struct Contribution: Sendable, Hashable {
    package let value: Double
    package let evidence: [Evidence]

    package init(_ value: Double, evidence: [Evidence] = []) {
        self.value = value
        self.evidence = evidence
    }
}
