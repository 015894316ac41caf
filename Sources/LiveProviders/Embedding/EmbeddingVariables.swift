import FileInput
import HTTPClient
import KnotDomain

/// The variables that set up a service of embeddings.
package struct EmbeddingVariables {
    /// Why there is none: what is missing, or what is wrong, without any value.
    package struct Problem: Error, Sendable, Hashable {
        package let variable: String
        package let reason: String
    }

    package static let names = [
        "KNOT_EMBEDDING_SERVICE", "KNOT_EMBEDDING_KEY", "KNOT_EMBEDDING_KEY_FILE", "KNOT_EMBEDDING_URL",
        "KNOT_EMBEDDING_MODEL", "KNOT_EMBEDDING_PREFIX",
    ]

    private let environment: (String) -> String?

    package init(_ environment: @escaping (String) -> String?) {
        self.environment = environment
    }

    package var service: any EmbeddingService {
        get throws(Problem) {
            let variables = ServiceSettings(environment)
            let (key, url): (Secret?, String?)
            do throws(SetupProblem) {
                key = try variables.optionalSecret("KNOT_EMBEDDING_KEY")
                url = try variables.address("KNOT_EMBEDDING_URL")
            } catch {
                switch error {
                case .missing(let names), .missingEither(let names):
                    throw Problem(variable: names.first ?? "", reason: "is not set")
                case .unusable(let why):
                    // It begins with the variable that it is of.
                    let variable = why.prefix { $0 != " " }
                    throw Problem(variable: String(variable), reason: String(why.dropFirst(variable.count + 1)))
                }
            }
            let model = environment("KNOT_EMBEDDING_MODEL").flatMap { $0.isEmpty ? nil : $0 }
            if let model, !Self.isModel(model) {
                throw Problem(variable: "KNOT_EMBEDDING_MODEL", reason: "is no name of a model")
            }
            switch environment("KNOT_EMBEDDING_SERVICE") {
            case "google":
                guard let key else { throw Problem(variable: "KNOT_EMBEDDING_KEY", reason: "is not set") }
                return GoogleEmbeddings(
                    key: key,
                    base: url ?? GoogleEmbeddings.usualBase,
                    model: model ?? GoogleEmbeddings.usualModel
                )
            case "openai":
                guard let url else { throw Problem(variable: "KNOT_EMBEDDING_URL", reason: "is not set") }
                guard let model else { throw Problem(variable: "KNOT_EMBEDDING_MODEL", reason: "is not set") }
                let prefix = environment("KNOT_EMBEDDING_PREFIX") ?? ""
                return OpenAIEmbeddings(base: url, key: key, model: model, prefix: prefix)
            case let other:
                let reason = other == nil ? "is not set" : "is neither google nor openai"
                throw Problem(variable: "KNOT_EMBEDDING_SERVICE", reason: reason)
            }
        }
    }

    /// A name that may stand in a URL's path as it is.
    private static func isModel(_ name: String) -> Bool {
        name.utf8.count <= 100 && !name.contains("..")
            && name.utf8.allSatisfy {
                (0x61...0x7A).contains($0 | 0x20) || (0x30...0x39).contains($0)
                    || [0x2D, 0x2E, 0x5F, 0x2F, 0x3A].contains($0)
            }
    }
}
