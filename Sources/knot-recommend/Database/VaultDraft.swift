import Glibc
import JSONDocument

/// The answers that somebody gave for a new vault so far, kept in a file of their own until the vault is stored.
///
/// It is written after each answer, so that nothing that ends the program loses one. It is private: nobody else may read it.
struct VaultDraft {
    private static let schema = "knot.vault-draft/1"

    /// Nil without a home: then answers last as long as the program.
    let path: String?
    private(set) var answers: JSONObject
    private(set) var hints: [JSONValue]

    /// What is left of an earlier time, or nothing.
    init(_ environment: Environment) {
        if let folder = environment["XDG_STATE_HOME"], folder.hasPrefix("/") {
            path = folder + "/knot-recommend/vault-draft.json"
        } else {
            path = environment["HOME"].flatMap {
                $0.hasPrefix("/") ? $0 + "/.local/state/knot-recommend/vault-draft.json" : nil
            }
        }
        answers = JSONObject()
        hints = []
        guard let path, FileStatus(path: path) != nil, let read = try? InputFile.readJSON(path),
            read["schema"]?.string == Self.schema
        else { return }
        answers = read["answers"]?.object ?? JSONObject()
        hints = read["hints"]?.array ?? []
    }

    var isEmpty: Bool { answers.isEmpty && hints.isEmpty }
    var count: Int { answers.members.count + hints.count }

    mutating func keep(_ answer: String, to question: String) throws(CommandError) {
        answers[question] = .string(answer)
        try save()
    }

    mutating func keep(hint: JSONValue) throws(CommandError) {
        hints.append(hint)
        try save()
    }

    /// Forgets an answer that does not fit any more.
    mutating func drop(_ question: String) { answers[question] = nil }

    /// Removes the file and all answers: the vault is stored, or nobody wants them.
    mutating func discard() {
        answers = JSONObject()
        hints = []
        if let path { _ = unsafe unlink(path) }
    }

    private func save() throws(CommandError) {
        guard let path else { return }
        let document: JSONValue = [
            "schema": .string(Self.schema), "answers": .object(answers), "hints": .array(hints),
        ]
        try PrivateFolder.make(for: path)
        try AtomicFile.write(Array((JSONWriter.text(document) + "\n").utf8), to: path)
    }
}
