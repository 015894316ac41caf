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
