import KnotDomain

/// Short descriptive texts for every interest, vibe and love language: what an encoder holds an offer against.
///
/// The texts are reviewed data, written from general knowledge and in the words of catalogues.
package struct Prototypes: Sendable {
    /// The name of the file format that this code reads.
    package static let format = "knot.prototypes/1"

    /// The subjects in the order of the vocabulary.
    package let subjects: [LexiconEntry.Subject]
    /// All texts, subject after subject.
    package let texts: [String]
    /// The places of each subject's texts.
    package let ranges: [Range<Int>]
    private let places: [LexiconEntry.Subject: Int]

    init(_ blocks: [(subject: LexiconEntry.Subject, texts: [String])]) {
        subjects = blocks.map(\.subject)
        places = Dictionary(blocks.enumerated().map { ($1.subject, $0) }) { first, _ in first }
        texts = blocks.flatMap(\.texts)
        var ranges: [Range<Int>] = []
        for block in blocks {
            let start = ranges.last?.upperBound ?? 0
            ranges.append(start..<start + block.texts.count)
        }
        self.ranges = ranges
    }

    /// The place of a subject in `subjects`.
    package func place(of subject: LexiconEntry.Subject) -> Int? { places[subject] }
}
