import KnotDomain

/// An offer as the original looks at it.
struct ClassicListing: Sendable {
    /// The title and the description.
    let text: ClassicText
    /// Two offers with one key are one.
    let key: String

    init(_ candidate: Candidate) {
        text = ClassicText("\(candidate.title) \(candidate.description ?? "")")
        key = "\(candidate.title.lowercased())|\(candidate.merchant?.lowercased() ?? "")"
    }
}
