package import Fixtures
import HintRules
package import KnotDomain
package import Recommendation

/// A small invented vault with its outside world, to be changed field by field and then run.
package struct Scene: Sendable {
    package var id = VaultID("vault")
    package var partner = "Ines"
    package var timeZone = "Etc/UTC"
    package var location: Place?
    package var likes: [String] = []
    package var dislikes: [String] = []
    package var vibes: [Vibe] = []
    package var languages = LoveLanguages(primary: .wordsOfAffirmation, secondary: .actsOfService)
    package var budget = Budget(minimum: 2_000, maximum: 20_000, currency: .usd)
    package var milestones: [Milestone] = []
    package var hints: [Hint] = []
    /// Nil leaves the hints to the rules.
    package var readings: [HintReading]?
    package var history: [HistoryItem] = []
    package var learned: LearnedTaste?
    package var asOf = "2026-03-01T12:00:00Z"
    package var occasion = OccasionChoice.tier(.minorOccasion)
    package var candidates: [Candidate] = []
    /// What a check finds, by candidate; everything else is available.
    package var facts: [String: AvailabilityFact] = [:]
    package var rates = Rates.embedded

    package init(_ candidates: [Candidate] = []) {
        self.candidates = candidates
    }

    /// The moment of the run.
    package var now: Instant { Instant(iso8601: asOf) ?? Instant(millisecondsSinceEpoch: 0) }

    package var vault: Vault {
        Vault(
            id: id,
            userID: UserID("user"),
            partnerName: partner,
            tenureMonths: 40,
            cohabitation: nil,
            location: location,
            timeZone: timeZone,
            likes: likes.map { Interest($0) },
            dislikes: dislikes.map { Interest($0) },
            vibes: vibes,
            budgets: [.justBecause: budget, .minorOccasion: budget, .majorMilestone: budget],
            loveLanguages: languages,
            milestones: milestones,
            hints: hints,
            history: history,
            learned: learned
        )
    }

    package var fixtureCase: FixtureCase {
        var known: [CandidateID: AvailabilityFact] = [:]
        for candidate in candidates {
            known[candidate.id] =
                facts[candidate.id.text] ?? AvailabilityFact(check: .available, checkedPriceCents: nil)
        }
        let reader: any HintReader =
            readings.map { RecordedReader(VaultReading(hints: $0, avoid: [], serves: [])) } ?? RulesReader()
        return FixtureCase(
            stem: "scene",
            fixture: Fixture(
                name: "scene",
                story: nil,
                asOf: now,
                request: nil,
                vault: vault,
                candidates: CandidateList(candidates),
                facts: known,
                judgments: nil
            ),
            reader: reader,
            rates: rates,
            digest: "scene",
            occasion: occasion
        )
    }

    /// The outside world as ports; tests replace single ones.
    package func ports(refresh: RefreshRequest? = nil, zones: any ZoneSource = ZoneDirectory()) -> StagePorts {
        StagePorts(fixtureCase, asOf: nil, refresh: refresh, zones: zones, clock: FixtureClock(now))
    }

    /// Adds a hint noted so many days before the run and, where phrases are given, what it means.
    package mutating func note(
        _ text: String,
        daysAgo: Int = 10,
        serves: [String] = [],
        avoid: [String] = [],
        limits: [String] = [],
        stance: HintReading.Stance = .wants,
        strength: Double = 0.9,
        isUsed: Bool = false,
        subject: HintReading.Subject = .partner
    ) {
        let id = HintID("hint-\(hints.count + 1)")
        hints.append(
            Hint(
                id: id,
                text: text,
                source: .textInput,
                createdAt: now.adding(seconds: -86_400 * daysAgo),
                isUsed: isUsed
            )
        )
        guard !serves.isEmpty || !avoid.isEmpty else { return }
        let reading = HintReading(
            hintID: id,
            subject: subject,
            stance: stance,
            strength: strength,
            serves: serves,
            avoid: avoid,
            overrules: [],
            limits: limits
        )
        readings = (readings ?? []) + [reading]
    }

    /// Adds a yearly milestone and asks for it.
    package mutating func celebrate(
        _ date: String,
        name: String = "Birthday",
        kind: Milestone.Kind = .birthday,
        tier: OccasionTier = .majorMilestone,
        recurrence: Milestone.Recurrence = .yearly
    ) {
        let id = MilestoneID("milestone-\(milestones.count + 1)")
        milestones.append(
            Milestone(
                id: id,
                kind: kind,
                name: name,
                date: CivilDate(iso8601: date) ?? CivilDate(daysSinceEpoch: 0),
                recurrence: recurrence,
                tier: tier
            )
        )
        occasion = .milestone(id)
    }

    /// Adds something from the past.
    package mutating func remember(
        _ title: String,
        type: CandidateType = .gift,
        merchant: String? = nil,
        url: String? = nil,
        daysAgo: Int = 200,
        feedback: [Feedback] = []
    ) {
        history.append(
            HistoryItem(
                title: title,
                type: type,
                merchant: merchant,
                url: url,
                priceCents: nil,
                at: now.adding(seconds: -86_400 * daysAgo),
                feedback: feedback
            )
        )
    }
}
