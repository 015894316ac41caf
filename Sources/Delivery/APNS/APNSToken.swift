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

/// The one token that all calls with a key carry, whichever process on whichever machine makes them: it bears the beginning
/// of a half hour, and its signature is always the same.
///
/// Apple refuses tokens older than an hour, and refuses everything where they change more often than every 20 minutes: with
/// tokens of their own two workers, or one that a timer starts every five minutes, would be refused again and again.
package final class APNSTokenSource: Sendable {
    package struct Token: Sendable, Hashable {
        package let text: Secret
        /// Counts tokens, so that two callers with the same refused one do not replace it twice.
        let number: Int
    }

    private struct Made {
        let token: Token
        /// When it says that it was made, in seconds since 1970.
        let issued: Int64
        /// When this process made it.
        let at: ContinuousClock.Instant
    }

    /// Half an hour: a token that is taken up at its end and kept for 20 minutes is not yet old.
    static let step: Int64 = 1_800
    static let longestLife = Duration.seconds(50 * 60)
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
            let begin = beginOfStep
            if let made {
                let age = made.at.duration(to: now)
                // A clock that was set back leaves a token of a time to come, which is not kept.
                let isOfStep = (begin..<begin + Self.step).contains(made.issued)
                if age < (isOfStep ? Self.longestLife : Self.shortestLife) { return made.token }
            }
            return make(&made, issued: begin, now)
        }
    }

    private var beginOfStep: Int64 {
        let now = clock.secondsSince1970()
        return now - now % Self.step
    }

    /// Another token than the one that was refused as too old; or how long that one has to do, being too young.
    package func token(after refused: Token) -> Result<Token, TooYoung> {
        made.withLock { made in
            let now = clock.now()
            let issued = clock.secondsSince1970()
            if let made, made.token.number != refused.number { return .success(made.token) }
            if let made {
                // Others may have used it before this process did.
                let age = max(made.at.duration(to: now), .seconds(issued - made.issued))
                if age < Self.shortestLife { return .failure(TooYoung(left: Self.shortestLife - age)) }
            }
            return .success(make(&made, issued: issued, now))
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

    private func make(_ made: inout Made?, issued: Int64, _ now: ContinuousClock.Instant) -> Token {
        let header = #"{"alg":"ES256","kid":"\#(key.id)"}"#
        let claims = #"{"iss":"\#(key.team)","iat":\#(issued)}"#
        let signed = [header, claims].map { ByteText.base64URL(Array($0.utf8)) }.joined(separator: ".")
        let signature = ByteText.base64URL(key.key.signature(of: Array(signed.utf8)))
        let token = Token(text: Secret("\(signed).\(signature)"), number: (made?.token.number ?? 0) + 1)
        made = Made(token: token, issued: issued, at: now)
        return token
    }
}
