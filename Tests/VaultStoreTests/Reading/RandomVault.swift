import Fixtures
import KnotDomain
import PostgresClient
import TestSupport

@testable import VaultStore

/// A vault that nobody would invent: every list any length, every text of any characters that may stand in one.
struct RandomVault {
    private var random: SeededRandom
    private let seed: UInt64
    private var count = 0

    init(seed: UInt64) {
        random = SeededRandom(seed: seed)
        self.seed = seed
    }

    mutating func fixture() -> Fixture {
        Fixture(
            name: "random-\(seed)",
            story: nil,
            asOf: moment(),
            request: nil,
            vault: vault(),
            candidates: CandidateList([]),
            facts: [:],
            judgments: nil
        )
    }

    private mutating func vault() -> Vault {
        let names = Array(Set((0..<Int.random(in: 0...14, using: &random)).map { _ in text().lowercased() })).sorted()
        let split = Int.random(in: 0...names.count, using: &random)
        let languages = LoveLanguage.allCases.shuffled(using: &random)
        return Vault(
            id: VaultID(id()),
            userID: UserID(id()),
            partnerName: text(),
            tenureMonths: maybe { Int.random(in: 0...1_800, using: &$0.random) },
            cohabitation: maybe { Cohabitation.allCases.randomElement(using: &$0.random) ?? .separate },
            location: maybe { Place(city: $0.text(), state: $0.maybe { $0.text() }, country: "JP") },
            timeZone: "Asia/Tokyo",
            likes: names[..<split].shuffled(using: &random).map { Interest($0) },
            dislikes: names[split...].shuffled(using: &random).map { Interest($0) },
            vibes: Array(Vibe.allCases.shuffled(using: &random).prefix(Int.random(in: 1...8, using: &random))),
            budgets: Dictionary(uniqueKeysWithValues: OccasionTier.allCases.map { ($0, budget()) }),
            loveLanguages: LoveLanguages(primary: languages[0], secondary: languages[1]),
            milestones: list(6) { $0.milestone() },
            hints: list(30) { $0.hint() },
            history: list(12) { $0.item() }
        )
    }

    private mutating func budget() -> Budget {
        let minimum = Int.random(in: 0...1_000_000, using: &random)
        return Budget(
            minimum: minimum,
            maximum: minimum + Int.random(in: 0...1_000_000, using: &random),
            currency: .usd
        )
    }

    private mutating func milestone() -> Milestone {
        Milestone(
            id: MilestoneID(id()),
            kind: Milestone.Kind.allCases.randomElement(using: &random) ?? .custom,
            name: text(),
            date: CivilDate(daysSinceEpoch: Int.random(in: -30_000...60_000, using: &random)),
            recurrence: Bool.random(using: &random) ? .yearly : .oneTime,
            tier: OccasionTier.allCases.randomElement(using: &random) ?? .justBecause
        )
    }

    private mutating func hint() -> Hint {
        Hint(
            id: HintID(id()),
            text: text(),
            source: Bool.random(using: &random) ? .textInput : .voiceTranscription,
            createdAt: moment(),
            isUsed: Bool.random(using: &random)
        )
    }

    private mutating func item() -> HistoryItem {
        HistoryItem(
            title: text(),
            type: CandidateType.allCases.randomElement(using: &random) ?? .gift,
            merchant: maybe { $0.text() },
            url: maybe { "https://shop.example/\($0.id())?a='\\%00" },
            priceCents: maybe { Int.random(in: 0...100_000_000, using: &$0.random) },
            at: moment(),
            feedback: list(3) {
                Feedback(
                    action: Feedback.Action.allCases.randomElement(using: &$0.random) ?? .saved,
                    rating: $0.maybe { Int.random(in: 1...5, using: &$0.random) },
                    reason: $0.maybe { $0.text() }
                )
            }
        )
    }

    // MARK: Parts

    private mutating func maybe<Value>(_ make: (inout Self) -> Value) -> Value? {
        Bool.random(using: &random) ? make(&self) : nil
    }

    private mutating func list<Value>(_ most: Int, _ make: (inout Self) -> Value) -> [Value] {
        (0..<Int.random(in: 0...most, using: &random)).map { _ in make(&self) }
    }

    private mutating func id() -> String {
        count += 1
        return PostgresUUID(high: random.next(), low: UInt64(count)).description
    }

    /// In whole milliseconds, which is all that an instant holds.
    private mutating func moment() -> Instant {
        Instant(millisecondsSinceEpoch: Int64.random(in: -1_000_000_000_000...4_000_000_000_000, using: &random))
    }

    /// As it is after the boundary: nothing is cleaned twice.
    private mutating func text() -> String {
        let text = BoundaryText.clean(random.text(), limit: 90)
        return text.isEmpty ? "x" : text
    }
}
