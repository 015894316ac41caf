import Foundation
import HTTPClient
import JSONDocument
import LoopbackServer
import Signing
import Synchronization
import TestSupport

@testable import Delivery

/// A delivery to a server of a test's own, with a key of openssl's and a time that stands still until it is moved.
struct APNSScene: Sendable {
    /// Seconds since 1970 at which the scene's time begins.
    static let start: Int64 = 1_795_320_000

    let delivery: APNSDelivery
    let client: HTTPClient
    let tokens: APNSTokenSource
    let time: Time
    private let key: APNSKey
    /// The public key, as PEM.
    private let publicKey: String

    /// The scene's time.
    final class Time: Sendable {
        private let passed = Mutex(Duration.zero)
        private let begin = ContinuousClock.now

        func pass(_ time: Duration) { passed.withLock { $0 += time } }

        var seconds: Int64 { APNSScene.start + passed.withLock { $0 }.components.seconds }

        var clock: ServiceClock {
            ServiceClock(
                now: { self.begin + self.passed.withLock { $0 } },
                secondsSince1970: { self.seconds },
                random: { 0.5 },
                pause: { _ in true }
            )
        }
    }

    init(_ base: String, authorities: String? = nil) throws {
        let folder = try ScratchFolder()
        try OpenSSL.makeKey(at: folder.file("key"))
        guard let key = SigningKey(pem: try String(contentsOfFile: folder.file("key"), encoding: .utf8)) else {
            throw OpenSSL.Failed(command: "genpkey")
        }
        publicKey = try String(contentsOfFile: folder.file("key.public"), encoding: .utf8)
        time = Time()
        client = try HTTPClient(.init(authorities: authorities))
        self.key = APNSKey(id: "KEY1234567", team: "TEAM123456", key: key)
        tokens = APNSTokenSource(self.key, clock: time.clock)
        delivery = APNSDelivery(
            .init(base: base, topic: "app.knot.ios"),
            tokens: tokens,
            sender: client,
            clock: time.clock
        )
    }

    /// The same key in another process.
    func otherTokens() -> APNSTokenSource { APNSTokenSource(key, clock: time.clock) }

    /// A token taken apart: its two objects, and whether openssl believes its signature.
    struct Opened {
        let header: JSONValue
        let claims: JSONValue
        let isBelieved: Bool

        /// When it says that it was made.
        var seconds: Int? { claims["iat"]?.int }
    }

    /// Reads the token of a request's `authorization`.
    func open(_ authorization: String?) throws -> Opened {
        let parts = (authorization ?? "").dropFirst("bearer ".count).split(separator: ".").map(String.init)
        guard authorization?.hasPrefix("bearer ") == true, parts.count == 3 else {
            throw OpenSSL.Failed(command: "token")
        }
        let folder = try ScratchFolder()
        _ = try folder.write(publicKey, to: "key.public")
        return Opened(
            header: try JSONParser.parse(Self.decoded(parts[0])),
            claims: try JSONParser.parse(Self.decoded(parts[1])),
            isBelieved: try OpenSSL.believes(
                Self.decoded(parts[2]),
                of: Array("\(parts[0]).\(parts[1])".utf8),
                key: folder.file("key")
            )
        )
    }

    private static func decoded(_ text: String) -> [UInt8] {
        var standard = text.replacing("-", with: "+").replacing("_", with: "/")
        while standard.utf8.count % 4 != 0 { standard += "=" }
        return Array(Data(base64Encoded: standard) ?? Data())
    }
}
