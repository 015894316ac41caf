import FileInput
import HTTPClient
import Signing

/// What proves to a receiver that a call is ours and not an old one: `v1=` and an HMAC-SHA256, one for each key.
///
/// The receiver takes the bytes of `Knot-Timestamp`, a full stop and the body as they came, computes the code with its key,
/// and takes the call when one of the codes is the same and the time is near its own.
enum WebhookSignature {
    static func header(_ body: [UInt8], timestamp: String, keys: [Secret]) -> String {
        keys.map { key in
            let code = HMACSHA256.code(of: Array(timestamp.utf8) + [0x2E] + body, key: Array(key.exposed.utf8))
            return "v1=\(ByteText.hex(code))"
        }
        .joined(separator: ",")
    }
}
