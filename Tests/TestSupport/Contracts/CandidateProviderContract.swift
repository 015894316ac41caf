import JSONDocument
package import KnotDomain
package import Recommendation
import Testing

/// All that a provider of candidates promises, whatever lies behind it.
package enum CandidateProviderContract {
    /// Fails the running test where the provider breaks its promise; it must have something for the query.
    ///
    /// A provider that leaves limits to the pipeline says so.
    package static func verify(
        _ provider: any CandidateProvider,
        answering query: ProviderQuery,
        keepsLimits: Bool = true
    ) async throws {
        let found = try await provider.candidates(for: query)
        #expect(!found.isEmpty, "nothing was found to judge by")
        verify(found, query)
        // The same question has the same answer, in the same order, also when many ask at once.
        let again = try await withThrowingTaskGroup(of: [Candidate].self) { group in
            for _ in 0..<4 { group.addTask { try await provider.candidates(for: query) } }
            return try await group.reduce(into: [[Candidate]]()) { $0.append($1) }
        }
        for answer in again { #expect(answer == found) }
        guard keepsLimits else { return }
        for limit in [0, 1, 2, found.count] {
            let few = try await provider.candidates(for: query.limited(to: limit))
            #expect(few.count <= limit, "a limit of \(limit) was not kept")
            verify(few, query)
        }
        let gifts = try await provider.candidates(for: query.restricted(to: [.gift]))
        #expect(gifts.allSatisfy { $0.type == .gift })
        try await verifyStrangeWords(provider, query)
    }

    /// Every candidate is the asked provider's, is there once, and is clean and whole.
    private static func verify(_ found: [Candidate], _ query: ProviderQuery) {
        #expect(found.allSatisfy { $0.provider == query.provider })
        #expect(CandidateList(found).duplicates.isEmpty, "an id came twice")
        for candidate in found {
            let texts = [candidate.title, candidate.description, candidate.merchant].compactMap { $0 } + candidate.tags
            for text in texts {
                #expect(BoundaryText.clean(text, limit: TextLimit.description) == text, "\(candidate.id) is not clean")
            }
            // A recording keeps it as its document, and reads it again whatever its provider is called.
            #expect(Candidate(reading: JSONReader(candidate.json)) == candidate)
        }
    }

    /// Phrases are data: none of them is an error, an instruction, or a way around a limit.
    private static func verifyStrangeWords(_ provider: any CandidateProvider, _ query: ProviderQuery) async throws {
        let strange = [
            [], [""], ["' or 1=1 --", "a & b | !c <-> (d)", "\\", ":*", "%_"], ["\u{0}\u{1}\u{202E}"], ["日本 👩‍👩‍👧"],
            [String(repeating: "w ", count: 50_000)], (0..<500).map { "word\($0)" }, ["the of and"],
            ["''", "'", "\"", "$1", "\\'", "it's"],
        ]
        for phrases in strange {
            let found = try await provider.candidates(for: query.asking(for: phrases))
            verify(found, query)
            #expect(found.count <= query.limit)
        }
    }
}

extension ProviderQuery {
    package func limited(to limit: Int) -> ProviderQuery { changed(limit: limit) }
    package func restricted(to types: [CandidateType]) -> ProviderQuery { changed(types: types) }
    package func asking(for phrases: [String]) -> ProviderQuery { changed(phrases: phrases) }

    private func changed(phrases: [String]? = nil, types: [CandidateType]? = nil, limit: Int? = nil) -> ProviderQuery {
        ProviderQuery(
            provider: provider,
            phrases: phrases ?? self.phrases,
            types: types ?? self.types,
            budget: budget,
            place: place,
            until: until,
            limit: limit ?? self.limit
        )
    }
}
