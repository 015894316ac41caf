/// The readings of a vault's hints, and what the vault as a whole asks for and rules out.
package struct VaultReading: Hashable, Sendable {
    package let hints: [HintReading]
    package let avoid: [String]
    package let serves: [String]

    package init(hints: [HintReading], avoid: [String], serves: [String]) {
        self.hints = hints
        self.avoid = avoid
        self.serves = serves
    }
}
