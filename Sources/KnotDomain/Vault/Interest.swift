/// Something a partner likes or dislikes: one of the forty, or the user's own words.
package struct Interest: Hashable, Sendable, Comparable {
    package let name: String
    /// The known interest with this name, whatever its case; worked out once, for it is asked of every offer.
    package let known: KnownInterest?

    /// Trimmed by whoever decodes it; never empty.
    package init(_ name: String) {
        self.name = name
        known =
            KnownInterest(rawValue: name)
            ?? KnownInterest.allCases.first { $0.rawValue.lowercased() == name.lowercased() }
    }

    package init(_ known: KnownInterest) {
        name = known.rawValue
        self.known = known
    }

    package static func == (left: Self, right: Self) -> Bool { left.name == right.name }
    package func hash(into hasher: inout Hasher) { hasher.combine(name) }
    package static func < (left: Self, right: Self) -> Bool { left.name < right.name }
}

/// The forty interests the product knows by name; free text occurs beside them.
package enum KnownInterest: String, CaseIterable, Sendable, Hashable {
    case travel = "Travel"
    case cooking = "Cooking"
    case movies = "Movies"
    case music = "Music"
    case reading = "Reading"
    case sports = "Sports"
    case gaming = "Gaming"
    case art = "Art"
    case photography = "Photography"
    case fitness = "Fitness"
    case fashion = "Fashion"
    case technology = "Technology"
    case nature = "Nature"
    case food = "Food"
    case coffee = "Coffee"
    case wine = "Wine"
    case dancing = "Dancing"
    case theater = "Theater"
    case concerts = "Concerts"
    case museums = "Museums"
    case shopping = "Shopping"
    case yoga = "Yoga"
    case hiking = "Hiking"
    case beach = "Beach"
    case pets = "Pets"
    case cars = "Cars"
    case diy = "DIY"
    case gardening = "Gardening"
    case meditation = "Meditation"
    case podcasts = "Podcasts"
    case baking = "Baking"
    case camping = "Camping"
    case cycling = "Cycling"
    case running = "Running"
    case swimming = "Swimming"
    case skiing = "Skiing"
    case surfing = "Surfing"
    case painting = "Painting"
    case boardGames = "Board Games"
    case karaoke = "Karaoke"
}

/// An aesthetic a partner is drawn to.
package enum Vibe: String, CaseIterable, Sendable, Hashable {
    case quietLuxury = "quiet_luxury"
    case streetUrban = "street_urban"
    case outdoorsy
    case vintage
    case minimalist
    case bohemian
    case romantic
    case adventurous
}

/// A way of giving and feeling love.
package enum LoveLanguage: String, CaseIterable, Sendable, Hashable {
    case wordsOfAffirmation = "words_of_affirmation"
    case actsOfService = "acts_of_service"
    case receivingGifts = "receiving_gifts"
    case qualityTime = "quality_time"
    case physicalTouch = "physical_touch"
}

/// A partner's first and second love language, always two different ones.
package struct LoveLanguages: Hashable, Sendable {
    package let primary: LoveLanguage
    package let secondary: LoveLanguage

    package init(primary: LoveLanguage, secondary: LoveLanguage) {
        self.primary = primary
        self.secondary = secondary
    }
}
