import EmbeddedFiles
import JSONDocument
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

    package func place(of subject: LexiconEntry.Subject) -> Int? { places[subject] }
}

extension Prototypes {
    /// The reviewed prototypes that are part of the program.
    package static let shared: Prototypes = {
        do throws(LexiconError) {
            return try Prototypes(json: EmbeddedFile.bytes(named: "prototypes.json"))
        } catch {
            preconditionFailure("The embedded prototypes are broken: \(error)")
        }
    }()

    /// Reads prototypes; every value of the vocabulary needs at least one text of its own.
    package init(json bytes: [UInt8]) throws(LexiconError) {
        self.init(try PrototypeReader.read(VocabularyFile(bytes, format: Self.format)))
    }
}

/// Decodes the file of prototypes; its problems are noted where they stand.
enum PrototypeReader {
    /// A prototype is a phrase and no essay: short texts are what encoders place best.
    static let longestText = 120

    typealias Block = (subject: LexiconEntry.Subject, texts: [String])

    static func read(_ file: VocabularyFile) throws(LexiconError) -> [Block] {
        var blocks: [Block] = []
        try file.forEachSubject { subject, list in
            let texts = list.value.array?.compactMap(\.string) ?? []
            if texts.isEmpty || texts.count != list.value.array?.count { list.note("expected a list of texts") }
            if texts.contains(where: { $0.isEmpty || $0.utf8.count > longestText }) {
                list.note("a text has 1 to \(longestText) bytes")
            }
            if Set(texts).count != texts.count { list.note("the same text stands twice") }
            blocks.append((subject, texts))
        }
        return blocks
    }
}
