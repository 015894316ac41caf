import Digest
import JSONDocument

/// What a recorded answer is found by: its kind and its key, so that another plan's nodes find it too.
struct EffectAddress: Hashable, Sendable {
    let kind: EffectKind
    let canonicalKey: [UInt8]

    init(kind: EffectKind, key: JSONValue) {
        self.kind = kind
        canonicalKey = JSONWriter.bytes(key, style: .canonical)
    }

    /// A short name for the key that gives nothing of it away.
    var digest: String { String(SHA256Digest(of: canonicalKey).hex.prefix(16)) }
}
