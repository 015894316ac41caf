/// Everything the lexicon finds in one text; each subject at most once, in its declared order.
package struct LexiconMatches: Hashable, Sendable {
    package let interests: [InterestMatch]
    package let vibes: [VibeMatch]
    package let loveLanguages: [LoveLanguageMatch]
}
