import Digest
import JSONDocument

/// Randomness that depends on the run's seed, its subject and the node's name, and on nothing else.
enum NodeSeed {
    static func seed(run: UInt64, subject: String, node: NodeID) -> UInt64 {
        // As text: a JSON number cannot hold every 64-bit seed.
        let form: JSONValue = [.string(String(run)), .string(subject), .string(node.text)]
        return SHA256Digest(of: JSONWriter.bytes(form, style: .canonical)).prefix64
    }
}
