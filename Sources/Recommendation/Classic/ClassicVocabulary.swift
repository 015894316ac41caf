import KnotDomain

/// The words of the original: 53 for the vibes, and those for the three love languages that words decide.
enum ClassicVocabulary {
    static let vibes: [Vibe: [String]] = [
        .quietLuxury: ["luxury", "elegant", "premium", "refined", "sophisticated", "understated", "cashmere"],
        .streetUrban: ["street", "urban", "sneaker", "graffiti", "hip hop", "city", "skate"],
        .outdoorsy: ["outdoor", "nature", "hiking", "trail", "camping", "garden", "fresh air"],
        .vintage: ["vintage", "retro", "antique", "classic", "nostalgic", "vinyl"],
        .minimalist: ["minimal", "simple", "clean", "modern", "sleek", "scandinavian"],
        .bohemian: ["boho", "bohemian", "eclectic", "artisan", "handmade", "free-spirited"],
        .romantic: ["romantic", "candlelit", "couples", "intimate", "love", "sunset", "roses"],
        .adventurous: ["adventure", "thrill", "adrenaline", "extreme", "explore", "bold", "climbing"],
    ]

    static let loveLanguages: [LoveLanguage: [String]] = [
        .wordsOfAffirmation: ["personalized", "custom", "engraved", "letter", "poem", "journal", "message"],
        .actsOfService: ["service", "cleaning", "meal kit", "subscription", "delivery", "helper", "repair"],
        .physicalTouch: ["massage", "spa", "couples", "dance", "blanket", "cozy", "cuddle"],
    ]

    static func says(_ text: ClassicText, _ vibe: Vibe) -> Bool {
        (vibes[vibe] ?? []).contains { text.contains($0) }
    }
}
