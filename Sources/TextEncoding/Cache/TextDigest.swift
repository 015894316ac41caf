import Digest

/// The SHA-256 of a text's UTF-8, kept in one piece so that tables of many take little room.
///
/// Two texts that look the same and differ in their bytes are two texts here, as they are to a tokenizer.
package struct TextDigest: Hashable, Sendable {
    private let words: (UInt64, UInt64, UInt64, UInt64)

    /// Of a text, or of a text in one of several variants.
    package init(of text: String, variant: String = "") {
        let digest = SHA256Digest(of: text)
        // Two digests in a row cannot be the UTF-8 of a text but by accident.
        self.init(variant.isEmpty ? digest : SHA256Digest(of: SHA256Digest(of: variant).bytes + digest.bytes))
    }

    private init(_ digest: SHA256Digest) {
        let bytes = digest.bytes
        words = (bytes.littleWord(at: 0), bytes.littleWord(at: 8), bytes.littleWord(at: 16), bytes.littleWord(at: 24))
    }

    /// From four words, each little-endian as it stands in a file.
    init(_ first: UInt64, _ second: UInt64, _ third: UInt64, _ fourth: UInt64) {
        words = (first, second, third, fourth)
    }

    /// The words as they stand in a file.
    var littleWords: [UInt64] { [words.0, words.1, words.2, words.3] }

    package static func == (left: Self, right: Self) -> Bool { left.words == right.words }

    package func hash(into hasher: inout Hasher) {
        // Every part of a SHA-256 is as random as the whole.
        hasher.combine(words.0)
    }
}

extension [UInt8] {
    fileprivate func littleWord(at start: Int) -> UInt64 {
        (0..<8).reduce(0) { $0 | UInt64(self[start + $1]) << UInt64(8 * $1) }
    }
}
