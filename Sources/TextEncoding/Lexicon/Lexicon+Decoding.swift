extension Lexicon {
    /// The name of the file format that this code reads.
    package static let format = "knot.lexicon/1"

    /// The reviewed lexicon that is part of the program.
    package static let shared: Lexicon = {
        do throws(LexiconError) {
            return try Lexicon(json: PackageResources.lexicon_json)
        } catch {
            preconditionFailure("The embedded lexicon is broken: \(error)")
        }
    }()

    /// Reads a lexicon; a phrase that starts with "=" is exact, compared as written and not by its stems.
    package init(json bytes: [UInt8]) throws(LexiconError) {
        self.init(ordered: try LexiconReader.read(VocabularyFile(bytes, format: Self.format)))
    }
}
