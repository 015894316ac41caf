import JSONDocument
import KnotDomain

/// Decodes the lexicon's file and notes everything that is wrong with it.
struct LexiconReader {
    let root: JSONReader

    init(_ document: JSONValue) {
        root = JSONReader(document)
    }

    var problems: JSONReader.Problems { root.problems }

    func read() -> [LexiconEntry] {
        if root.value["format"]?.string != Lexicon.format { root.note("must be \"\(Lexicon.format)\"", at: "format") }
        return read("interests", KnownInterest.allCases) { .interest($0) }
            + read("vibes", Vibe.allCases) { .vibe($0) }
            + read("love_languages", LoveLanguage.allCases) { .loveLanguage($0) }
    }

    private func read<Name: RawRepresentable<String>>(
        _ member: String,
        _ names: [Name],
        subject: (Name) -> LexiconEntry.Subject
    ) -> [LexiconEntry] {
        guard let section = root.required(member) else { return [] }
        let known = Set(names.map(\.rawValue))
        for name in section.value.object?.names ?? [] where !known.contains(name) {
            section.note("is no known name", at: name)
        }
        return names.flatMap { name in
            section.required(name.rawValue).map { read($0, subject(name)) } ?? []
        }
    }

    private func read(_ block: JSONReader, _ subject: LexiconEntry.Subject) -> [LexiconEntry] {
        let roles: [(String, LexiconEntry.Role)] = [
            ("strong", .evidence(.strong)), ("weak", .evidence(.weak)), ("not", .lookAlike),
        ]
        for name in block.value.object?.names ?? [] where !roles.contains(where: { $0.0 == name }) {
            block.note("is none of strong, weak, not", at: name)
        }
        return roles.flatMap { name, role in
            (block.optional(name)?.items() ?? []).compactMap { item in
                guard let text = item.value.string else {
                    item.note("expected a phrase, found \(item.value.kindName)")
                    return nil
                }
                let isExact = text.hasPrefix("=")
                let phrase = Phrase(isExact ? String(text.dropFirst()) : text, isExact: isExact)
                if phrase.isEmpty {
                    item.note("has no words")
                    return nil
                }
                return LexiconEntry(subject: subject, role: role, phrase: phrase)
            }
        }
    }
}
