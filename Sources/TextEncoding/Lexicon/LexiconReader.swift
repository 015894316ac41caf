import JSONDocument
import KnotDomain

/// The lines of a lexicon as they are matched, side by side.
///
/// Of two phrases that start together the earlier line is met first, so look-alikes go before their subject's evidence.
struct LexiconLines {
    private(set) var phrases = PhraseList()
    private(set) var slots: [Lexicon.Slot] = []
    private(set) var texts: [String] = []

    init() {
        phrases.reserve(phrases: 6_000)
        slots.reserveCapacity(6_000)
        texts.reserveCapacity(6_000)
    }

    /// Adds a line, which is exact where it starts with "="; whether it has any words.
    mutating func append(_ line: String, _ slot: Lexicon.Slot) -> Bool {
        let isExact = line.utf8.first == UInt8(ascii: "=")
        let text = isExact ? String(line.dropFirst()) : line
        slots.append(slot)
        texts.append(text)
        return phrases.append(text, isExact: isExact)
    }
}

/// Decodes the lexicon's file; its problems are noted where they stand.
enum LexiconReader {
    static func read(_ file: VocabularyFile) throws(LexiconError) -> LexiconLines {
        var lines = LexiconLines()
        try file.forEachSubject { subject, block in read(block, subject, into: &lines) }
        return lines
    }

    private static let roles: [(name: String, role: LexiconEntry.Role)] = [
        ("not", .lookAlike), ("strong", .evidence(.strong)), ("weak", .evidence(.weak)),
    ]

    private static func read(_ block: JSONReader, _ subject: LexiconEntry.Subject, into lines: inout LexiconLines) {
        for name in block.value.object?.names ?? [] where !roles.contains(where: { $0.name == name }) {
            block.note("is none of strong, weak, not", at: name)
        }
        for (name, role) in roles {
            guard let list = block.value[name] else { continue }
            guard let items = list.array else {
                block.note("expected a list, found \(list.kindName)", at: name)
                continue
            }
            let slot = Lexicon.Slot(subject, role)
            // Thousands of items at every start: a reader, and so a path, is made only for a broken one.
            for (index, item) in items.enumerated() {
                guard let line = item.string, lines.append(line, slot) else {
                    let path = "\(block.path).\(name)[\(index)]"
                    JSONReader(item, path: path, problems: block.problems).note("expected a phrase with words")
                    continue
                }
            }
        }
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
