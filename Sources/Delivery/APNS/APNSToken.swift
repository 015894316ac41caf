package import FileInput
package import HTTPClient
package import Signing
import Synchronization

/// The key of a team at Apple, with the names that go with it.
package struct APNSKey: Sendable {
    /// Ten letters and digits each.
    package let id: String
    package let team: String
    package let key: SigningKey

    package init(id: String, team: String, key: SigningKey) {
        self.id = id
        self.team = team
        self.key = key
    }
}

/// The one token that all calls with a key carry: made when it is needed, used for 47 minutes, never replaced within 20.
///
/// Apple refuses tokens older than an hour, and refuses everything where they change more often than every 20 minutes.
package final class APNSTokenSource: Sendable {
    package struct Token: Sendable, Hashable {
        package let text: Secret
        /// Counts tokens, so that two callers with the same refused one do not replace it twice.
        let number: Int
    }

    private struct Made {
        let token: Token
        let at: ContinuousClock.Instant
    }

    static let life = Duration.seconds(47 * 60)
    static let shortestLife = Duration.seconds(20 * 60)

    private let key: APNSKey
    private let clock: ServiceClock
    private let made = Mutex<Made?>(nil)

    package init(_ key: APNSKey, clock: ServiceClock = .system) {
        self.key = key
        self.clock = clock
    }

    /// The token to send with.
    package func token() -> Token {
        // Making one takes less than a millisecond and calls nobody, so those who come meanwhile may wait for the lock.
        made.withLock { made in
            let now = clock.now()
            if let made, made.at.duration(to: now) < Self.life { return made.token }
            return make(&made, now)
        }
    }

    /// Another token than the one that was refused as too old; or how long that one has to do, being too young.
    package func token(after refused: Token) -> Result<Token, TooYoung> {
        made.withLock { made in
            let now = clock.now()
            if let made, made.token.number != refused.number { return .success(made.token) }
            if let age = made?.at.duration(to: now), age < Self.shortestLife {
                return .failure(TooYoung(left: Self.shortestLife - age))
            }
            return .success(make(&made, now))
        }
    }

    /// The token may not be replaced yet.
    package struct TooYoung: Error, Sendable, Equatable {
        package let left: Duration
    }

    /// How long the token is to be kept, at least.
    package var keepsFor: Duration {
        made.withLock { made in
            made.map { max(.zero, Self.shortestLife - $0.at.duration(to: clock.now())) } ?? .zero
        }
    }

    private func make(_ made: inout Made?, _ now: ContinuousClock.Instant) -> Token {
        let header = #"{"alg":"ES256","kid":"\#(key.id)"}"#
        let claims = #"{"iss":"\#(key.team)","iat":\#(clock.secondsSince1970())}"#
        let signed = [header, claims].map { ByteText.base64URL(Array($0.utf8)) }.joined(separator: ".")
        let signature = ByteText.base64URL(key.key.signature(of: Array(signed.utf8)))
        let token = Token(text: Secret("\(signed).\(signature)"), number: (made?.token.number ?? 0) + 1)
        made = Made(token: token, at: now)
        return token
    }
}
