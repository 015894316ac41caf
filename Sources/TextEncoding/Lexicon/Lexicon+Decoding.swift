import JSONDocument
import KnotDomain

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
        let document: JSONValue
        do {
            document = try JSONParser.parse(bytes)
        } catch {
            throw LexiconError(problems: [JSONProblem(path: "$", message: error.description)])
        }
        let reader = LexiconReader(document)
        let entries = reader.read()
        guard reader.problems.list.isEmpty else { throw LexiconError(problems: reader.problems.list) }
        self.init(ordered: entries)
    }
}
