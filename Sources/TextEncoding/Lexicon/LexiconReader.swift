import JSONDocument
import KnotDomain

/// Decodes the lexicon's file and notes everything that is wrong with it.
struct LexiconReader {
    let root: JSONReader

    init(_ document: JSONValue) {
        root = JSONReader(document)
    }

    var problems: JSONReader.Problems { root.problems }

    /// All entries, look-alikes of a subject before its evidence.
    func read() -> [LexiconEntry] {
        if root.value["format"]?.string != Lexicon.format { root.note("must be \"\(Lexicon.format)\"", at: "format") }
        var entries: [LexiconEntry] = []
        entries.reserveCapacity(6_000)
        read("interests", KnownInterest.allCases, into: &entries) { .interest($0) }
        read("vibes", Vibe.allCases, into: &entries) { .vibe($0) }
        read("love_languages", LoveLanguage.allCases, into: &entries) { .loveLanguage($0) }
        return entries
    }

    private func read<Name: RawRepresentable<String>>(
        _ member: String,
        _ names: [Name],
        into entries: inout [LexiconEntry],
        subject: (Name) -> LexiconEntry.Subject
    ) {
        guard let section = root.required(member) else { return }
        let known = Set(names.map(\.rawValue))
        for name in section.value.object?.names ?? [] where !known.contains(name) {
            section.note("is no known name", at: name)
        }
        for name in names {
            if let block = section.required(name.rawValue) { read(block, subject(name), into: &entries) }
        }
    }

    private static let roles: [(name: String, role: LexiconEntry.Role)] = [
        ("not", .lookAlike), ("strong", .evidence(.strong)), ("weak", .evidence(.weak)),
    ]

    private func read(_ block: JSONReader, _ subject: LexiconEntry.Subject, into entries: inout [LexiconEntry]) {
        for name in block.value.object?.names ?? [] where !Self.roles.contains(where: { $0.name == name }) {
            block.note("is none of strong, weak, not", at: name)
        }
        for (name, role) in Self.roles {
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
                    JSONReader(item, path: path, problems: problems).note("expected a phrase with words")
                }
            }
        }
    }

    private func phrase(_ text: String) -> Phrase {
        text.utf8.first == UInt8(ascii: "=") ? Phrase(String(text.dropFirst()), isExact: true) : Phrase(text)
    }
}
