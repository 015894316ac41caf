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

/// A reviewed data file with one entry for every value of the vocabulary, and everything that is wrong with it.
struct VocabularyFile {
    let root: JSONReader

    /// Parses the file's bytes; it has to name its format.
    init(_ bytes: [UInt8], format: String) throws(LexiconError) {
        let document: JSONValue
        do {
            document = try JSONParser.parse(bytes)
        } catch {
            throw LexiconError(problems: [JSONProblem(path: "$", message: error.description)])
        }
        root = JSONReader(document)
        if document["format"]?.string != format { root.note("must be \"\(format)\"", at: "format") }
    }

    /// Hands over the entry of every interest, vibe and love language; unknown and missing ones are problems.
    func forEachSubject(_ body: (LexiconEntry.Subject, JSONReader) -> Void) throws(LexiconError) {
        walk("interests", KnownInterest.allCases) { body(.interest($0), $1) }
        walk("vibes", Vibe.allCases) { body(.vibe($0), $1) }
        walk("love_languages", LoveLanguage.allCases) { body(.loveLanguage($0), $1) }
        guard root.problems.list.isEmpty else { throw LexiconError(problems: root.problems.list) }
    }

    private func walk<Name: RawRepresentable<String>>(
        _ member: String,
        _ names: [Name],
        body: (Name, JSONReader) -> Void
    ) {
        guard let section = root.required(member) else { return }
        let known = Set(names.map(\.rawValue))
        for name in section.value.object?.names ?? [] where !known.contains(name) {
            section.note("is no known name", at: name)
        }
        for name in names {
            if let entry = section.required(name.rawValue) { body(name, entry) }
        }
    }
}
