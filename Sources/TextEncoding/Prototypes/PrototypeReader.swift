import JSONDocument
import KnotDomain

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
