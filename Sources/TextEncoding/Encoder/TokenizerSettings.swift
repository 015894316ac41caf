/// How a model's tokenizer treats a text before it looks words up.
package struct TokenizerSettings: Sendable, Equatable {
    /// Removes control characters and makes all white space alike.
    package var cleansText = true
    /// Makes each Chinese character a word of its own.
    package var separatesIdeographs = true
    package var stripsAccents = true
    package var lowersCase = true
    /// What begins a piece that continues a word.
    package var continuation = "##"
    /// Words with more characters are unknown.
    package var longestWord = 100
    package var unknown = "[UNK]"
    package var start = "[CLS]"
    package var end = "[SEP]"
    /// Tokens that a text may hold literally, as the reference reads them: whole and before anything else is done.
    package var literals = ["[UNK]", "[SEP]", "[PAD]", "[CLS]", "[MASK]"]

    package init() {}
}
