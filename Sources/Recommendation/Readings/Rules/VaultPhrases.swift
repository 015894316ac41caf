import KnotDomain

/// What the vault as a whole asks for and rules out.
struct VaultPhrases: Sendable {
    let tables: RuleTables

    private static let servesLimit = 8

    /// Each like in the form that the love languages ask for; at a small occasion without the large outings.
    func serves(_ vault: Vault, tier: OccasionTier) -> [String] {
        var phrases: [String] = []
        let likes = vault.likes.sorted()
        let languages = [vault.loveLanguages.primary, vault.loveLanguages.secondary]
        for (place, language) in languages.enumerated() {
            if let extra = Self.languagePhrases[language]?.first, place == 0 { phrases.append(extra) }
            for like in likes {
                guard let taste = tables.tastes.tastes[like.known?.rawValue ?? ""] else {
                    if place == 0 { phrases.append(like.name.lowercased()) }
                    continue
                }
                let list = forms(of: taste, language: language, tier: tier)
                if let phrase = list.first(where: { !phrases.contains($0) }) { phrases.append(phrase) }
            }
        }
        return Array(phrases.prefix(Self.servesLimit))
    }

    private func forms(of taste: TasteTable.Taste, language: LoveLanguage, tier: OccasionTier) -> [String] {
        switch language {
        case .receivingGifts, .wordsOfAffirmation: taste.gifts
        case .qualityTime, .physicalTouch:
            tier == .justBecause ? Array(taste.experiences.reversed()) : taste.experiences
        case .actsOfService: taste.services + taste.gifts
        }
    }

    private static let languagePhrases: [LoveLanguage: [String]] = [
        .wordsOfAffirmation: ["handwritten letter keepsake"], .actsOfService: ["service done for them at home"],
        .receivingGifts: ["handmade keepsake gift"], .qualityTime: ["private experience for two"],
        .physicalTouch: ["couples massage"],
    ]

    /// Dislikes by their catalogue words, and every hint's avoids; a past gift is held against its kind and not its words.
    ///
    /// What a list cannot hold is counted and never dropped in silence.
    func avoid(_ vault: Vault, hints: [HintReading]) -> (phrases: [String], leftOut: Int) {
        var phrases: [String] = []
        var seen: Set<String> = []
        var leftOut = 0
        func add(_ phrase: String) {
            guard !phrase.isEmpty, seen.insert(phrase).inserted else { return }
            if phrases.count < TextLimit.listItems, phrase.utf8.count <= TextLimit.phrase {
                phrases.append(phrase)
            } else {
                leftOut += 1
            }
        }
        for dislike in vault.dislikes.sorted() {
            let taste = tables.tastes.tastes[dislike.known?.rawValue ?? ""]
            for phrase in taste?.avoid ?? [dislike.name.lowercased()] { add(phrase) }
        }
        for reading in hints where reading.subject == .partner || reading.subject == .couple {
            for phrase in reading.avoid { add(phrase) }
        }
        return (phrases, leftOut)
    }
}
