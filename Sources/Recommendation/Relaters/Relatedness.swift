/// The two tables of a run: what would serve, and what must be avoided.
package struct Relatedness: Sendable {
    package let serves: PhraseTable
    package let avoids: PhraseTable
    /// False when there were only words to go by.
    package let usesVectors: Bool
}
