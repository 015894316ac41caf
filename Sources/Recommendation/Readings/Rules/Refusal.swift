/// A "no" in a hint and the words it reaches.
struct Refusal: Hashable, Sendable {
    /// Where the marker stands.
    let marker: Int
    /// The words that name what is refused; may be empty when the hint only says no.
    let objects: Range<Int>
}
