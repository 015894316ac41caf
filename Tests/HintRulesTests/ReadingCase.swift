import KnotDomain

@testable import HintRules

/// A vault of invented hints for the rules reader's tests, one day apart, oldest first.
struct ReadingCase {
    var partner = "Marit"
    var dislikes: [Interest] = []
    var likes: [Interest] = []
    var history: [HistoryItem] = []

    static let now = Instant(millisecondsSinceEpoch: 1_780_000_000_000)
    private static let day: Int64 = 86_400_000

    func hints(_ texts: [String], source: Hint.Source = .textInput) -> [Hint] {
        texts.enumerated().map { index, text in
            Hint(
                id: HintID("hint-\(index)"),
                text: text,
                source: source,
                createdAt: Instant(
                    millisecondsSinceEpoch: Self.now.millisecondsSinceEpoch - Int64(texts.count - index) * Self.day
                ),
                isUsed: false
            )
        }
    }

    func vault(_ hints: [Hint]) -> Vault {
        Vault(
            id: VaultID("vault"),
            userID: UserID("user"),
            partnerName: partner,
            tenureMonths: 30,
            cohabitation: nil,
            location: nil,
            timeZone: "Etc/UTC",
            likes: likes,
            dislikes: dislikes,
            vibes: [],
            budgets: [:],
            loveLanguages: LoveLanguages(primary: .actsOfService, secondary: .qualityTime),
            milestones: [],
            hints: hints,
            history: history
        )
    }

    func read(_ texts: [String], source: Hint.Source = .textInput) -> VaultReading {
        RulesReader().read(vault(hints(texts, source: source)), tier: .minorOccasion, asOf: Self.now)
    }

    func read(_ text: String, source: Hint.Source = .textInput) -> HintReading? {
        read([text], source: source).hints.first
    }
}
