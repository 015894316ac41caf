import JSONDocument
import KnotDomain

/// Decodes the lexicon's file; its problems are noted where they stand.
enum LexiconReader {
    /// All entries, look-alikes of a subject before its evidence.
    static func read(_ file: VocabularyFile) throws(LexiconError) -> [LexiconEntry] {
        var entries: [LexiconEntry] = []
        entries.reserveCapacity(6_000)
        try file.forEachSubject { subject, block in read(block, subject, into: &entries) }
        return entries
    }

    private static let roles: [(name: String, role: LexiconEntry.Role)] = [
        ("not", .lookAlike), ("strong", .evidence(.strong)), ("weak", .evidence(.weak)),
    ]

    private static func read(_ block: JSONReader, _ subject: LexiconEntry.Subject, into entries: inout [LexiconEntry]) {
        for name in block.value.object?.names ?? [] where !roles.contains(where: { $0.name == name }) {
            block.note("is none of strong, weak, not", at: name)
        }
        for (name, role) in roles {
            guard let list = block.value[name] else { continue }
            guard let items = list.array else {
                block.note("expected a list, found \(list.kindName)", at: name)
                continue
            }
            // Thousands of items at every start: a reader, and so a path, is made only for a broken one.
            for (index, item) in items.enumerated() {
                let phrase = item.string.map(phrase)
                if let phrase, !phrase.isEmpty {
                    entries.append(LexiconEntry(subject: subject, role: role, phrase: phrase))
                } else {
                    let path = "\(block.path).\(name)[\(index)]"
                    JSONReader(item, path: path, problems: block.problems).note("expected a phrase with words")
                }
            }
        }
    }

    private static func phrase(_ text: String) -> Phrase {
        text.utf8.first == UInt8(ascii: "=") ? Phrase(String(text.dropFirst()), isExact: true) : Phrase(text)
    }
}
