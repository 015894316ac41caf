/// A "no" in a hint and the words it reaches.
struct Refusal: Hashable, Sendable {
    /// Where the marker stands.
    let marker: Int
    /// The words that name what is refused.
    let objects: Range<Int>
    /// Every word that the refusal covers: nothing in it is wished for.
    let scope: Range<Int>
}
