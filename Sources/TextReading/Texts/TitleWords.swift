package import TextEncoding

/// What of a title sets its thing apart from others: its words and, in digits, the numbers it names.
package struct TitleWords: Sendable {
    private let words: StemSet
    private let numbers: Set<String>

    /// The stems are the title's; those of its house's name say nothing of the thing.
    package init(_ title: String, _ stems: StemSet, house: String?) {
        let tokens = Tokenizer.tokens(of: title, limit: CleanedText.wordLimit)
        let named = tokens.filter { !Self.numbers(in: $0.text).isEmpty }
        numbers = Set(named.flatMap { Self.numbers(in: $0.text) })
        let house = house.map { StemSet(contentOf: TokenizedText($0, limit: 20)) } ?? StemSet([])
        words = stems.without(house).without(StemSet(named.map(\.stem)))
    }

    /// Whether both are told apart: by their numbers, or by a word of each that the other lacks.
    ///
    /// A size, a count or a model is what sets variants apart, and so is one word in another's place. What only says more,
    /// or the same in another order, may be of the same thing.
    package func areApart(from other: TitleWords) -> Bool {
        if numbers != other.numbers { return true }
        return !words.without(other.words).isEmpty && !other.words.without(words).isEmpty
    }

    /// The digits alone: a unit may stand by itself or be written on to its number.
    private static func numbers(in word: String) -> [String] {
        if let number = spoken[word] { return [number] }
        return word.split { !("0"..."9").contains($0) }.map(String.init)
    }

    private static let spoken = [
        "one": "1", "single": "1", "two": "2", "pair": "2", "duo": "2", "double": "2", "three": "3", "trio": "3",
        "triple": "3", "four": "4", "five": "5", "six": "6", "seven": "7", "eight": "8", "nine": "9", "ten": "10",
        "eleven": "11", "twelve": "12", "dozen": "12", "twenty": "20", "fifty": "50", "hundred": "100",
    ]
}
