import JSONDocument
import KnotDomain

/// Decodes the file of prototypes and notes everything that is wrong with it.
struct PrototypeReader {
    /// A prototype is a phrase and no essay: short texts are what encoders place best.
    static let longestText = 120

    typealias Block = (subject: LexiconEntry.Subject, texts: [String])

    let root: JSONReader

    init(_ document: JSONValue) {
        root = JSONReader(document)
    }

    var problems: JSONReader.Problems { root.problems }

    func read() -> [Block] {
        if root.value["format"]?.string != Prototypes.format {
            root.note("must be \"\(Prototypes.format)\"", at: "format")
        }
        var blocks: [Block] = []
        read("interests", KnownInterest.allCases, into: &blocks) { .interest($0) }
        read("vibes", Vibe.allCases, into: &blocks) { .vibe($0) }
        read("love_languages", LoveLanguage.allCases, into: &blocks) { .loveLanguage($0) }
        return blocks
    }

    private func read<Name: RawRepresentable<String>>(
        _ member: String,
        _ names: [Name],
        into blocks: inout [Block],
        subject: (Name) -> LexiconEntry.Subject
    ) {
        guard let section = root.required(member) else { return }
        let known = Set(names.map(\.rawValue))
        for name in section.value.object?.names ?? [] where !known.contains(name) {
            section.note("is no known name", at: name)
        }
        for name in names {
            guard let list = section.required(name.rawValue) else { continue }
            let texts = list.value.array?.compactMap(\.string) ?? []
            if texts.isEmpty || texts.count != list.value.array?.count {
                section.note("expected a list of texts", at: name.rawValue)
            }
            if texts.contains(where: { $0.isEmpty || $0.utf8.count > Self.longestText }) {
                section.note("a text has 1 to \(Self.longestText) bytes", at: name.rawValue)
            }
            if Set(texts).count != texts.count { section.note("the same text stands twice", at: name.rawValue) }
            blocks.append((subject(name), texts))
        }
    }
}
