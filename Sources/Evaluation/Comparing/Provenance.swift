import Digest
import JSONDocument

/// What figures were made with and on, so that they can be made again.
package struct Provenance: Sendable, Hashable {
    /// The program's.
    package let version: String
    /// As it can be typed again, without what decides only where the output goes and how it looks.
    package let command: String
    /// The embedding model; nil where candidates were compared by words alone.
    package let model: String?
    /// What was changed of the pipeline, each as it is typed; that is what a star at its name means.
    package let changes: [String]
    /// SHA-256 over the digests of all that was read, vault by vault.
    package let dataDigest: String

    package init(version: String, command: String, model: String?, changes: [String], cases: [FixtureCase]) {
        self.version = version
        self.command = command
        self.model = model
        self.changes = changes
        let read = cases.map { JSONValue.array([.string($0.stem), .string($0.digest)]) }
        dataDigest = SHA256Digest(of: JSONWriter.bytes(.array(read), style: .canonical)).hex
    }

    /// What the star means; nil where there is none.
    package func star(_ label: String) -> String? {
        guard !changes.isEmpty, label.hasSuffix("*") else { return nil }
        return "\(label) is \(label.dropLast()) with \(changes.joined(separator: ", "))."
    }

    package var modelWords: String { model ?? "none, by words alone" }
}
