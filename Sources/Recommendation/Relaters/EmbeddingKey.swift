import Digest
import JSONDocument

/// The name of one call to an embedder: the model and a digest of the texts, which may be private.
enum EmbeddingKey {
    static func of(_ texts: [String], model: String) -> JSONValue {
        let digest = SHA256Digest(of: JSONWriter.bytes(JSONValue(texts), style: .canonical)).hex
        return ["model": .string(model), "texts": .string(digest)]
    }
}
