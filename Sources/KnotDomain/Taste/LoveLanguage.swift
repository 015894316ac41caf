/// A way of giving and feeling love.
package enum LoveLanguage: String, CaseIterable, Sendable, Hashable {
    case wordsOfAffirmation = "words_of_affirmation"
    case actsOfService = "acts_of_service"
    case receivingGifts = "receiving_gifts"
    case qualityTime = "quality_time"
    case physicalTouch = "physical_touch"
}
