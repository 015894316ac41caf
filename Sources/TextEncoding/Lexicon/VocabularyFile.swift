import JSONDocument
import KnotDomain

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
