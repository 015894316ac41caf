package import KnotDomain
import TextEncoding
import TextReading

/// What of the vocabulary an offer's words show, each at its strongest place.
package struct TasteSigns: Sendable {
    /// How clearly something shows: in the title or a tag it is what the thing is, in the description it may be an aside.
    package enum Clarity: Int, Sendable, Comparable {
        /// A related word only.
        case faint = 1
        /// A telling word somewhere in the description.
        case mentioned = 2
        /// A telling word in the title or a tag.
        case evident = 3

        package static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
    }

    /// One sign with the words that show it.
    package struct Sign: Sendable, Hashable {
        package let clarity: Clarity
        package let words: String
    }

    private struct Finding: Sendable {
        /// The subject's place among all there are.
        let number: Int
        let subject: LexiconEntry.Subject
        var sign: Sign
    }

    /// One for each subject that shows; an offer shows a handful of them, so the list is searched and not indexed.
    private var findings: [Finding] = []
    /// The same of an offer that says more than what counts, by all that it says.
    private var spoken: [Finding] = []

    package init() {}

    init(of offer: Offer, by reader: inout Lexicon.SignReader) {
        findings.reserveCapacity(6)
        if let longer = offer.words.longer {
            read(longer, by: &reader)
            swap(&findings, &spoken)
        }
        read(offer.words.said, by: &reader)
    }

    private mutating func read(_ words: SpokenWords, by reader: inout Lexicon.SignReader) {
        reader.read(words.fields.title) { note($0, strong: .evident, words.absence) }
        reader.read(words.fields.tags) { note($0, strong: .evident, words.absence) }
        reader.read(words.fields.body) { note($0, strong: .mentioned, words.absence) }
    }

    /// Notes one thing that the words of one place show; `strong` is what a telling word means there, unless it is absent.
    private mutating func note(_ found: LexiconSign, strong: Clarity, _ absence: StatedAbsence) {
        if absence.covers(found.phrase) { return }
        let clarity = found.strength == .strong ? strong : .faint
        for place in findings.indices where findings[place].number == found.number {
            if findings[place].sign.clarity < clarity {
                findings[place].sign = Sign(clarity: clarity, words: found.phrase)
            }
            return
        }
        let sign = Sign(clarity: clarity, words: found.phrase)
        findings.append(Finding(number: found.number, subject: found.subject, sign: sign))
    }

    // Each kind is compared as what it is, and in place: this is asked for every offer and every like.
    package func sign(of interest: KnownInterest) -> Sign? { Self.sign(of: interest, in: findings) }

    /// The same by all that the offer says, where that is more.
    func spokenSign(of interest: KnownInterest) -> Sign? {
        Self.sign(of: interest, in: spoken.isEmpty ? findings : spoken)
    }

    private static func sign(of interest: KnownInterest, in findings: [Finding]) -> Sign? {
        for place in findings.indices {
            if case .interest(let found) = findings[place].subject, found == interest { return findings[place].sign }
        }
        return nil
    }

    package func sign(of vibe: Vibe) -> Sign? {
        for place in findings.indices {
            if case .vibe(let found) = findings[place].subject, found == vibe { return findings[place].sign }
        }
        return nil
    }

    package func sign(of language: LoveLanguage) -> Sign? {
        for place in findings.indices {
            if case .loveLanguage(let found) = findings[place].subject, found == language {
                return findings[place].sign
            }
        }
        return nil
    }

    /// The vibes that show at least so clearly.
    package func vibes(from least: Clarity) -> [Vibe] {
        findings.compactMap { finding in
            if case .vibe(let vibe) = finding.subject, finding.sign.clarity >= least { vibe } else { nil }
        }
    }
}

/// How near an offer is in meaning to the interests, vibes and love languages, by their prototypes.
package struct TasteAffinity: Sendable {
    /// The cosine at which a subject does not stand out from its kind at all, and the one at which it is evident.
    struct Ramp: Sendable {
        let low: Double
        let high: Double

        func callAsFunction(_ lead: Double) -> Double { min(1, max(0, (lead - low) / (high - low))) }
    }

    struct Ramps: Sendable {
        let interests: Ramp
        let vibes: Ramp
        let languages: Ramp
    }

    private let prototypes: Prototypes
    /// The cosine with each subject's nearest text, in the order of the subjects.
    private let cosines: [Double]
    /// With the interests in the user's own words.
    private let free: [String: Double]
    private let ramps: Ramps
    private let means: (interests: Double, vibes: Double, languages: Double)
    private let nearestInterest: Double

    init(_ prototypes: Prototypes, cosines: [Double], free: [String: Double], _ ramps: Ramps) {
        precondition(cosines.count == prototypes.subjects.count, "every subject needs its cosine")
        self.prototypes = prototypes
        self.cosines = cosines
        self.free = free
        self.ramps = ramps
        var sums = [(sum: 0.0, count: 0.0), (sum: 0.0, count: 0.0), (sum: 0.0, count: 0.0)]
        var nearest = -1.0
        for (subject, cosine) in zip(prototypes.subjects, cosines) {
            let kind: Int
            switch subject {
            case .interest:
                kind = 0
                nearest = max(nearest, cosine)
            case .vibe: kind = 1
            case .loveLanguage: kind = 2
            }
            sums[kind] = (sums[kind].sum + cosine, sums[kind].count + 1)
        }
        let mean = sums.map { $0.count == 0 ? 0 : $0.sum / $0.count }
        means = (mean[0], mean[1], mean[2])
        nearestInterest = nearest
    }

    /// The cosine with an interest's nearest prototype, or with the user's own words for it.
    package func cosine(of interest: Interest) -> Double {
        if let known = interest.known { return cosine(.interest(known)) }
        return free[interest.name] ?? 0
    }

    /// Whether no known interest is clearly nearer.
    package func isNearest(_ interest: Interest, within slack: Double) -> Bool {
        cosine(of: interest) >= nearestInterest - slack
    }

    /// 0 to 1: how much an interest stands out from all others.
    package func strength(of interest: Interest) -> Double {
        ramps.interests(cosine(of: interest) - means.interests)
    }

    package func strength(of vibe: Vibe) -> Double { ramps.vibes(cosine(.vibe(vibe)) - means.vibes) }

    package func strength(of language: LoveLanguage) -> Double {
        ramps.languages(cosine(.loveLanguage(language)) - means.languages)
    }

    private func cosine(_ subject: LexiconEntry.Subject) -> Double {
        prototypes.place(of: subject).map { cosines[$0] } ?? 0
    }
}

/// An interest in the user's own words: it shows where all of its content words do.
struct FreeInterest: Sendable {
    private let name: String
    private let stems: [UInt64]

    init(_ interest: Interest) {
        name = interest.name
        stems = TokenizedText(interest.name, limit: 12).contentFingerprints
    }

    func sign(in offer: Offer, spoken: Bool) -> TasteSigns.Sign? {
        guard !stems.isEmpty else { return nil }
        let words = spoken ? offer.words.longer ?? offer.words.said : offer.words.said
        if stems.allSatisfy(words.headSet.contains) { return TasteSigns.Sign(clarity: .evident, words: name) }
        return stems.allSatisfy(words.allSet.contains) ? TasteSigns.Sign(clarity: .mentioned, words: name) : nil
    }
}

/// One of a vault's interests, made ready to be looked for in every offer of a pool.
package struct InterestSign: Sendable {
    package let interest: Interest
    /// Set for an interest in the user's own words.
    private let free: FreeInterest?

    init(_ interest: Interest) {
        self.interest = interest
        free = interest.known == nil ? FreeInterest(interest) : nil
    }

    /// How clearly the offer, whose signs these are, is about the interest: by what counts, or by all that it says.
    func sign(in offer: Offer, _ signs: TasteSigns, spoken: Bool = false) -> TasteSigns.Sign? {
        if let known = interest.known { return spoken ? signs.spokenSign(of: known) : signs.sign(of: known) }
        return free?.sign(in: offer, spoken: spoken)
    }
}
