import KnotDomain
import Synchronization
import TextReading

/// Offers met lately, with what was made of their texts, so that a batch over one catalogue reads each text once.
///
/// An offer is taken from here only for a candidate that says the same to the byte, so that nothing but time depends on
/// what was met before.
package final class OfferCache: Sendable {
    /// The cache of this process.
    package static let shared = OfferCache()

    /// Longer texts are read again each time, for the sake of memory.
    private static let longestTexts = 8_192

    private let recent: Mutex<RecentValues<CandidateID, Offer>>
    private let capacity: Int

    /// - Parameter capacity: How many offers are kept at most; none are with 0.
    package init(capacity: Int = 4_096) {
        self.capacity = capacity
        recent = Mutex(RecentValues(capacity: capacity))
    }

    /// One offer for each candidate, in order; an offer that is read has its words, the others find them when asked.
    func offers(for candidates: some Collection<Candidate>, areRead: Bool) -> [Offer] {
        guard capacity > 0 else { return candidates.map { Offer($0, isRead: areRead) } }
        let known = recent.withLock { recent in candidates.map { recent.value(for: $0.id) } }
        var offers: [Offer] = []
        offers.reserveCapacity(known.count)
        var fresh: [Offer] = []
        for (candidate, known) in zip(candidates, known) {
            if let known, known.study.isRead || !areRead, known.candidate.isIdentical(to: candidate) {
                offers.append(known)
                continue
            }
            let offer = Offer(candidate, isRead: areRead)
            offers.append(offer)
            if Self.isShort(candidate) { fresh.append(offer) }
        }
        if !fresh.isEmpty {
            recent.withLock { recent in for offer in fresh { recent.keep(offer, for: offer.candidate.id) } }
        }
        return offers
    }

    private static func isShort(_ candidate: Candidate) -> Bool {
        let texts = candidate.title.utf8.count + (candidate.description?.utf8.count ?? 0) + candidate.url.utf8.count
        return texts + candidate.tags.reduce(0) { $0 + $1.utf8.count } <= longestTexts
    }
}
