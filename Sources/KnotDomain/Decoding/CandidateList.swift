package import JSONDocument

/// The candidates of one list, each id once.
package struct CandidateList: Hashable, Sendable {
    package let candidates: [Candidate]
    /// Ids that came again, once for each time; the first candidate with an id is the one kept.
    package let duplicates: [CandidateID]

    package init(_ all: [Candidate]) {
        var seen: Set<CandidateID> = []
        var kept: [Candidate] = []
        var duplicates: [CandidateID] = []
        for candidate in all {
            if seen.insert(candidate.id).inserted { kept.append(candidate) } else { duplicates.append(candidate.id) }
        }
        candidates = kept
        self.duplicates = duplicates
    }

    /// Reads a list and notes every problem in it; candidates that have one are left out.
    package init(reading reader: JSONReader) {
        self.init(reader.items().compactMap { Candidate(reading: $0) })
    }
}
