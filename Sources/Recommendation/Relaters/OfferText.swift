import KnotDomain

/// What of a candidate is given to an embedder: title, description and tags, capped.
enum OfferText {
    static func forEmbedding(_ candidate: Candidate) -> String {
        let parts = [candidate.title, candidate.description ?? "", candidate.tags.joined(separator: ", ")]
        return String(parts.filter { !$0.isEmpty }.joined(separator: ". ").prefix(2_000))
    }
}
