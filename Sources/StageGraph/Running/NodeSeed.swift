import Digest
import JSONDocument

/// Randomness that depends on the run's seed, its subject and the node's name, and on nothing else.
enum NodeSeed: Sendable {
    case given(UInt64)
    case derived(run: UInt64, subject: String, node: NodeID)

    var value: UInt64 {
        switch self {
        case .given(let seed): return seed
        case .derived(let run, let subject, let node):
            // As text: a JSON number cannot hold every 64-bit seed.
            let form: JSONValue = [.string(String(run)), .string(subject), .string(node.text)]
            return SHA256Digest(of: JSONWriter.bytes(form, style: .canonical)).prefix64
        }
    }
}
