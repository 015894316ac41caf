import KnotDomain
import Recommendation

/// What a catalogue is searched for: the query's phrases, cleaned and bounded, and which items may answer.
struct CatalogueWish: Sendable {
    /// The most wanted first, each once, none blank.
    let phrases: [String]
    let provider: ProviderName
    let types: Set<CandidateType>
    let limit: Int

    /// No answer is longer than this, however much is asked for.
    static let mostItems = 2_000

    init(_ query: ProviderQuery, clean: CleanPhrases? = nil) {
        phrases = clean?.phrases(query.phrases) ?? Self.clean(query.phrases)
        provider = query.provider
        types = Set(query.types)
        limit = min(max(query.limit, 0), Self.mostItems)
    }

    static func clean(_ phrases: [String]) -> [String] {
        var seen: Set<String> = []
        return phrases.prefix(4 * TextLimit.listItems)
            .map { BoundaryText.clean($0, limit: TextLimit.phrase) }
            .filter { !$0.isEmpty && seen.insert($0.lowercased()).inserted }
            .prefix(TextLimit.listItems)
            .map(\.self)
    }

    func allows(_ candidate: Candidate) -> Bool { candidate.provider == provider && types.contains(candidate.type) }
}
