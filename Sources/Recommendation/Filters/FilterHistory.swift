import KnotDomain
package import StageGraph
import TextEncoding
import TextReading

/// Drops what was shown or given before, what is of a given thing's kind, and what comes from where a refused thing came
/// from.
///
/// What was only of the kind, or nearly the same, gives way to a later wish for it: things wear out and get lost.
package struct FilterHistory: FilterStage {
    package static let kind = "filter.history"
    package static let revision = 5
    package static let summary = "Drops what was given or refused before."
    static let brief = InputPort<Brief>("brief")
    static let hints = OptionalPort<HintDigest>("hints")
    package static let inputs = [brief.declaration, hints.declaration]

    /// The share of the shorter title's words that makes two titles the same.
    private static let sameTitle = 0.7

    package init() {}

    /// One earlier item, made ready to compare.
    package struct Known: Sendable {
        let item: HistoryItem
        let name: String
        let stems: StemSet
        let merchant: String?
        let url: String?
        /// What kind of thing was given, or is at home; nil for what is neither, or is of no kind.
        let kind: GiftKind?
        let isAtHome: Bool
        /// Why an offer that is the same is dropped.
        let reason: String
        var wasRefused: Bool { reason == Self.refused }

        static let refused = "already_refused"
        static let given = "already_given"
        static let shown = "already_shown"

        init(_ item: HistoryItem, zone: ZoneRules) {
            let title = TokenizedText(item.title, limit: CleanedText.wordLimit)
            let isGiven = item.feedback.contains { [.purchased, .selected].contains($0.action) }
            isAtHome = item.standingFeedback.contains { $0.refreshReason == .alreadyHaveSimilar }
            self.item = item
            // The item without its words: what was given is private.
            name = "what was shown on \(zone.localDate(at: item.at))"
            stems = StemSet(contentOf: title)
            merchant = Sameness.merchantKey(item.merchant)
            url = item.url.map(CanonicalURL.key)
            kind = isGiven || isAtHome ? GiftKind(title: title) : nil
            reason = item.wasRefused ? Self.refused : isGiven ? Self.given : Self.shown
        }
    }

    /// Something that is wanted or needed, and since when.
    package struct Wish: Sendable {
        let since: Instant
        /// For each phrase its stems.
        let phrases: [[UInt64]]
        /// The stems of the things that the phrases name.
        let things: [UInt64]

        static func all(in digest: HintDigest?) -> [Wish] {
            (digest?.ranked ?? []).compactMap { entry in
                let reading = entry.reading
                guard [.wants, .needs].contains(reading.stance), [.partner, .couple].contains(reading.subject) else {
                    return nil
                }
                return Wish(
                    since: entry.hint.createdAt,
                    phrases: entry.serveStems,
                    things: entry.serving.flatMap { $0.things.map(\.head) }
                )
            }
        }
    }

    /// The history, what a refresh keeps of the set that is in it by now, and what is wished for.
    package struct Past: Sendable {
        let known: [Known]
        let kept: Set<CandidateID>
        let wishes: [Wish]

        /// Whether a thing of this kind was asked for after this was given.
        func isAskedFor(_ kind: GiftKind, after known: Known) -> Bool {
            (!known.wasRefused || known.isAtHome)
                && wishes.contains { $0.since > known.item.at && $0.things.contains(kind.head) }
        }

        /// Whether all that makes a title nearly this one was asked for after this was given.
        func isAskedFor(_ title: StemSet, after known: Known) -> Bool {
            guard !known.wasRefused, known.stems != title else { return false }
            let shared = known.stems.shared(with: title)
            let telling = shared.telling(ofGift: known.item.type == .gift)
            let asked = telling.isEmpty ? shared : telling
            return wishes.contains { wish in
                wish.since > known.item.at && wish.phrases.contains { asked.allSatisfy($0.contains) }
            }
        }
    }

    package func facts(
        for pool: Pool<Offer>,
        _ inputs: StageInputs,
        in context: StageContext
    ) async throws(StageFailure) -> Past {
        Self.past(of: try inputs.value(Self.brief), inputs.value(Self.hints))
    }

    static func past(of brief: Brief, _ hints: HintDigest?) -> Past {
        let known = brief.vault.history.map { Known($0, zone: brief.zone) }
        return Past(
            known: known,
            kept: Set(brief.refresh?.kept.map(\.candidateID) ?? []),
            wishes: known.isEmpty ? [] : Wish.all(in: hints)
        )
    }

    package func verdict(on item: Offer, given past: Past) throws(StageFailure) -> FilterVerdict {
        if past.kept.contains(item.candidate.id) { return .keep }
        let url = item.words.address
        let merchant = item.words.merchant
        let stems = item.words.titleSet
        let isGift = item.candidate.type == .gift
        // By index: what is known of a thing is large to copy.
        for place in past.known.indices {
            if past.known[place].url == url { return Self.drop("address", past.known[place]) }
            let isSameMerchant = past.known[place].merchant == merchant
            let isSameType = past.known[place].item.type.mayBeSame(as: item.candidate.type)
            if isSameType || isSameMerchant,
                Sameness.isSameTitle(past.known[place].stems, stems, share: Self.sameTitle, ofGift: isGift),
                !past.isAskedFor(stems, after: past.known[place]),
                !AvoidPhrase.isCompany(item.words.said.fields.title, of: past.known[place].kind)
            {
                return Self.drop("title", past.known[place])
            }
            if isSameType, let kind = past.known[place].kind, stems.contains(kind.head),
                let own = item.kind, kind.isKind(of: own, title: stems),
                !past.isAskedFor(kind, after: past.known[place])
            {
                return Self.drop("kind of thing", past.known[place])
            }
            if isSameMerchant, merchant != nil, past.known[place].wasRefused {
                return Self.drop("merchant", past.known[place])
            }
        }
        return .keep
    }

    private static func drop(_ sameness: String, _ known: Known) -> FilterVerdict {
        .drop(reason: known.reason, evidence: "same \(sameness) as \(known.name)")
    }
}
