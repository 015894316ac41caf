/// Splits text into words in one linear pass, for any script and any input.
///
/// Letters, marks and digits make words; an apostrophe joins ("she's" gives "she", "isn't" gives "is", "not"); a hyphen
/// separates ("whole-grain" gives two words); scripts written without spaces give one token per character, so that a
/// phrase of them is found inside a longer run; "&" reads as "and"; emoji and other symbols are left out.
package enum Tokenizer {
    /// The words of a text in order, at most `limit` of them.
    package static func tokens(of text: String, limit: Int = .max) -> [Token] {
        var scanner = TokenScanner(limit: limit, yield: .tokens)
        scanner.read(text)
        return scanner.tokens
    }

    /// The folded words of a text without their stems, at most `limit` of them.
    package static func words(of text: String, limit: Int = .max) -> [String] {
        var scanner = TokenScanner(limit: limit, yield: .unstemmed)
        scanner.read(text)
        return scanner.tokens.map(\.text)
    }
}
