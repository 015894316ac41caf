import KnotDomain
import Synchronization

/// Offers met lately, with what was made of their texts, so that a batch over one catalogue reads each text once.
///
/// An offer is taken from here only for a candidate that says the same to the byte, so that nothing but time depends on
/// what was met before. There are two halves: when the younger is full, the older is forgotten.
package final class OfferCache: Sendable {
    /// The cache of this process.
    package static let shared = OfferCache()

    private struct State {
        var young: [CandidateID: Offer] = [:]
        var old: [CandidateID: Offer] = [:]

        /// What is asked for again moves to the younger half while there is room.
        mutating func offer(_ id: CandidateID, mostYoung: Int) -> Offer? {
            if let offer = young[id] { return offer }
            guard let offer = old[id] else { return nil }
            if young.count < mostYoung { young[id] = offer }
            return offer
        }
    }

    /// Longer texts are read again each time, for the sake of memory.
    private static let longestTexts = 8_192

    private let state = Mutex(State())
    private let capacity: Int
    private var half: Int { max(1, capacity / 2) }

    /// - Parameter capacity: How many offers are kept at most; none are with 0.
    package init(capacity: Int = 4_096) {
        self.capacity = capacity
    }

    /// One offer for each candidate, in order; an offer that is read has its words, the others find them when asked.
    func offers(for candidates: some Collection<Candidate>, areRead: Bool) -> [Offer] {
        guard capacity > 0 else { return candidates.map { Offer($0, isRead: areRead) } }
        let known = state.withLock { state in candidates.map { state.offer($0.id, mostYoung: half) } }
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
        if !fresh.isEmpty { keep(fresh) }
        return offers
    }

    private func keep(_ fresh: [Offer]) {
        state.withLock { state in
            for offer in fresh {
                if state.young.count >= half {
                    state.old = state.young
                    state.young = [:]
                }
                state.young[offer.candidate.id] = offer
            }
        }
    }

    private static func isShort(_ candidate: Candidate) -> Bool {
        let texts = candidate.title.utf8.count + (candidate.description?.utf8.count ?? 0) + candidate.url.utf8.count
        return texts + candidate.tags.reduce(0) { $0 + $1.utf8.count } <= longestTexts
    }
}

/// Something worked out when it is first asked for, and kept: whoever asks meanwhile may work it out too, one is kept.
///
/// It is lent and not copied, since many threads ask at once, and to count references they would take turns.
@safe struct FirstAnswer<Value: Sendable>: ~Copyable, @unchecked Sendable {
    // Proof of @unchecked Sendable: the value is whole before its address is told to anybody, and never changes.
    /// Owned: made by the first answer, freed in `deinit`.
    private let place = unsafe Atomic<UnsafeMutablePointer<Value>?>(nil)

    init() {}

    deinit {
        if let value = unsafe place.load(ordering: .acquiring) { unsafe Self.free(value) }
    }

    /// The work must come to the same whoever does it.
    subscript(_ work: () -> Value) -> Value {
        // The value stays where it is until nobody holds this any more.
        _read { yield unsafe address(work).pointee }
    }

    private func address(_ work: () -> Value) -> UnsafeMutablePointer<Value> {
        if let known = unsafe place.load(ordering: .acquiring) { return unsafe known }
        let made = UnsafeMutablePointer<Value>.allocate(capacity: 1)
        unsafe made.initialize(to: work())
        let (isFirst, known) = unsafe place.compareExchange(
            expected: nil,
            desired: made,
            ordering: .acquiringAndReleasing
        )
        guard !isFirst, let known = unsafe known else { return unsafe made }
        unsafe Self.free(made)
        return unsafe known
    }

    private static func free(_ value: UnsafeMutablePointer<Value>) {
        unsafe value.deinitialize(count: 1)
        unsafe value.deallocate()
    }
}
