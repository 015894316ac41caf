/// The readings of a vault's hints, and what the vault as a whole asks for and rules out.
package struct VaultReading: Hashable, Sendable {
    package let hints: [HintReading]
    package let avoid: [String]
    package let serves: [String]
    /// How many phrases were left out because a list holds no more; whoever uses the reading says so.
    package let leftOut: Int

    package init(hints: [HintReading], avoid: [String], serves: [String], leftOut: Int = 0) {
        self.hints = hints
        self.avoid = avoid
        self.serves = serves
        self.leftOut = leftOut
    }
}
