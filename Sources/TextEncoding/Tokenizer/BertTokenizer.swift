/// Cuts texts into the word pieces a BERT model was trained on, exactly as the reference tokenizer does.
package struct BertTokenizer: Sendable {
    package let settings: TokenizerSettings
    let pieces: WordPieces
    let unknown: UInt32
    let start: UInt32
    let end: UInt32
    /// Tokens that are taken out of a text literally, by their first byte, the longest first.
    private let literals: [UInt8: [(text: [UInt8], number: UInt32)]]
    private let hasLiteral: [Bool]

    /// The vocabulary in the order of its numbers.
    ///
    /// Throws the name of a special token that the vocabulary lacks.
    init(_ pieces: WordPieces, settings: TokenizerSettings) throws(MissingPiece) {
        func number(_ piece: String) throws(MissingPiece) -> UInt32 {
            guard let number = pieces.number(of: piece) else { throw MissingPiece(piece: piece) }
            return number
        }
        self.pieces = pieces
        self.settings = settings
        unknown = try number(settings.unknown)
        start = try number(settings.start)
        end = try number(settings.end)
        var literals: [UInt8: [(text: [UInt8], number: UInt32)]] = [:]
        var hasLiteral = [Bool](repeating: false, count: 256)
        for literal in settings.literals {
            let text = Array(literal.utf8)
            // A special token that the vocabulary lacks cannot occur in a text either.
            guard let first = text.first, let number = pieces.number(of: literal) else { continue }
            literals[first, default: []].append((text, number))
            hasLiteral[Int(first)] = true
        }
        self.literals = literals.mapValues { $0.sorted { $0.text.count > $1.text.count } }
        self.hasLiteral = hasLiteral
    }

    /// A special token that a vocabulary lacks.
    struct MissingPiece: Error { let piece: String }

    /// The numbers of a text's pieces between those of start and end; at most `limit` in all, and whether more were cut off.
    package func tokens(of text: String, limit: Int = .max) -> (numbers: [UInt32], isTruncated: Bool) {
        var cutter = WordCutter(self, most: max(0, limit - 2))
        let bytes = text.utf8.span
        var place = 0
        while place < bytes.count, !cutter.isFull {
            let byte = bytes[place]
            if hasLiteral[Int(byte)], let literal = literal(in: bytes, at: place) {
                cutter.endWord()
                cutter.append(literal.number)
                place += literal.text.count
            } else if byte < 0x80 {
                cutter.take(ascii: byte)
                place += 1
            } else {
                place = cutter.take(bytes, at: place)
            }
        }
        cutter.endWord()
        let isTruncated = cutter.numbers.count > cutter.most + 1
        if isTruncated { cutter.numbers.removeLast(cutter.numbers.count - cutter.most - 1) }
        cutter.numbers.append(end)
        return (cutter.numbers, isTruncated)
    }

    private func literal(in bytes: Span<UInt8>, at place: Int) -> (text: [UInt8], number: UInt32)? {
        literals[bytes[place]]?.first { literal in
            guard bytes.count - place >= literal.text.count else { return false }
            return literal.text.indices.allSatisfy { bytes[place + $0] == literal.text[$0] }
        }
    }
}
