/// What is written without a space between its words: Chinese, Japanese and Thai, and Korean with its endings.
///
/// Nobody cuts it into words here. It tells of nothing else where known pieces make up all of it.
struct GluedText {
    private let pieces: [Unicode.Scalar: [[Unicode.Scalar]]]

    /// The runs of such letters in these words are pieces.
    init(_ words: some Sequence<String>) {
        let runs = words.flatMap { $0.unicodeScalars.split { !Self.isLetter($0) }.map { Array($0) } }
        pieces = Dictionary(grouping: runs) { $0[0] }
    }

    /// Whether pieces make up all of it but for marks, digits and letters of other scripts.
    func makes(_ text: some StringProtocol) -> Bool {
        let scalars = Array(text.unicodeScalars)
        var reached = Array(repeating: false, count: scalars.count + 1)
        reached[0] = true
        for place in scalars.indices where reached[place] {
            if !Self.isLetter(scalars[place]) { reached[place + 1] = true }
            for piece in pieces[scalars[place]] ?? [] where scalars[place...].starts(with: piece) {
                reached[place + piece.count] = true
            }
        }
        return reached[scalars.count]
    }

    /// Up to the first comma, which is no end of a word to others.
    static func clause(of word: String) -> Substring { word.prefix { $0 != "、" && $0 != "，" } }

    private static func isLetter(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x0E01...0x0E4E, 0x3041...0x30FF, 0x3400...0x4DBF, 0x4E00...0x9FFF, 0xAC00...0xD7A3: true
        default: false
        }
    }
}
