package import KnotDomain
package import Recommendation
package import StageGraph

extension ProviderQuery {
    /// What several providers have together, each id once, the first provider's before the others'.
    ///
    /// Where they have more than is wanted, each has its share of it. One that fails is left out and noted as long as another
    /// has something.
    package func answer(of providers: [any CandidateProvider]) async throws(StageFailure) -> [Candidate] {
        var found: [[Candidate]] = []
        var failures: [StageFailure] = []
        for provider in providers {
            do throws(StageFailure) {
                found.append(try await provider.candidates(for: self))
            } catch {
                guard error.failureClass.isRetryable else { throw error }
                failures.append(error)
            }
        }
        let joined = Self.joined(found, limit: limit)
        if joined.isEmpty, let failure = failures.first { throw failure }
        let hidden = Self.hidden(found)
        if hidden > 0 {
            shortfalls.note("offers were left out since others that came before have their ids: \(hidden)")
        }
        for failure in failures { shortfalls.note("a part of the catalogue was left out: \(failure.detail)") }
        return joined
    }

    /// How many candidates say something else than one of an earlier list with their id.
    private static func hidden(_ lists: [[Candidate]]) -> Int {
        var known: [CandidateID: Candidate] = [:]
        var count = 0
        for list in lists {
            for candidate in list { if let first = known[candidate.id], first != candidate { count += 1 } }
            for candidate in list where known[candidate.id] == nil { known[candidate.id] = candidate }
        }
        return count
    }

    /// Lists after one another, each id once; of more than so many candidates, each list's first ones in equal parts, and what
    /// one has no use for is the others'.
    package static func joined(_ lists: [[Candidate]], limit: Int) -> [Candidate] {
        var ids: Set<CandidateID> = []
        let lists = lists.map { $0.filter { ids.insert($0.id).inserted } }
        var shares = lists.map { _ in 0 }
        var left = limit
        while left > 0 {
            let open = lists.indices.filter { shares[$0] < lists[$0].count }
            guard !open.isEmpty else { break }
            let equal = max(1, left / open.count)
            for place in open {
                let part = min(equal, lists[place].count - shares[place], left)
                shares[place] += part
                left -= part
            }
        }
        return zip(lists, shares).flatMap { $0.prefix($1) }
    }
}
