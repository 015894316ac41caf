import JSONDocument
import KnotDomain

extension Prototypes {
    /// The reviewed prototypes that are part of the program.
    package static let shared: Prototypes = {
        do throws(LexiconError) {
            return try Prototypes(json: PackageResources.prototypes_json)
        } catch {
            preconditionFailure("The embedded prototypes are broken: \(error)")
        }
    }()

    /// Reads prototypes; every value of the vocabulary needs at least one text of its own.
    package init(json bytes: [UInt8]) throws(LexiconError) {
        let document: JSONValue
        do {
            document = try JSONParser.parse(bytes)
        } catch {
            throw LexiconError(problems: [JSONProblem(path: "$", message: error.description)])
        }
        let reader = PrototypeReader(document)
        let blocks = reader.read()
        guard reader.problems.list.isEmpty else { throw LexiconError(problems: reader.problems.list) }
        self.init(blocks)
    }
}
