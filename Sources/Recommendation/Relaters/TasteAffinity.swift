package import KnotDomain
import TextEncoding

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
