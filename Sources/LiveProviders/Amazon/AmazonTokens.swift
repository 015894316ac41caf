package import FileInput
import HTTPClient
import ItemPages
import JSONDocument
import StageGraph
import Synchronization

/// Who asks Amazon: the account, its store, and where its tokens come from.
package struct AmazonAccount: Sendable {
    /// The version of the credentials, whose last digit is their part of the world.
    package enum Version: String, Sendable, CaseIterable {
        case america2 = "2.1"
        case europe2 = "2.2"
        case farEast2 = "2.3"
        case america3 = "3.1"
        case europe3 = "3.2"
        case farEast3 = "3.3"

        /// Version 2 is Cognito, version 3 is Login with Amazon.
        var isCognito: Bool { rawValue.hasPrefix("2") }

        package var usualTokenURL: String {
            switch self {
            case .america2: "https://creatorsapi.auth.us-east-1.amazoncognito.com/oauth2/token"
            case .europe2: "https://creatorsapi.auth.eu-south-2.amazoncognito.com/oauth2/token"
            case .farEast2: "https://creatorsapi.auth.us-west-2.amazoncognito.com/oauth2/token"
            case .america3: "https://api.amazon.com/auth/o2/token"
            case .europe3: "https://api.amazon.co.uk/auth/o2/token"
            case .farEast3: "https://api.amazon.co.jp/auth/o2/token"
            }
        }

        /// The part of the world whose stores these credentials are good for.
        package var region: Region {
            switch self {
            case .america2, .america3: .america
            case .europe2, .europe3: .europe
            case .farEast2, .farEast3: .farEast
            }
        }

        /// Colons or a slash: taking one for the other is the usual mistake.
        var scope: String { isCognito ? "creatorsapi/default" : "creatorsapi::default" }
    }

    /// Stores that share credentials.
    package enum Region: Sendable {
        case america
        /// And the Middle East, Africa and India.
        case europe
        case farEast

        /// By a store's host.
        package init(ofStore store: String) {
            switch store {
            case "www.amazon.com", "www.amazon.ca", "www.amazon.com.mx", "www.amazon.com.br": self = .america
            case "www.amazon.co.jp", "www.amazon.com.au", "www.amazon.sg": self = .farEast
            default: self = .europe
            }
        }

        /// What credentials of this region are issued as today.
        package var latest: Version {
            switch self {
            case .america: .america3
            case .europe: .europe3
            case .farEast: .farEast3
            }
        }
    }

    let clientID: Secret
    let clientSecret: Secret
    let version: Version
    let partnerTag: String
    /// The store's host, as `www.amazon.com`.
    let store: String
    let tokenURL: String

    package init(
        clientID: Secret,
        clientSecret: Secret,
        version: Version,
        partnerTag: String,
        store: String,
        tokenURL: String? = nil
    ) {
        self.clientID = clientID
        self.clientSecret = clientSecret
        self.version = version
        self.partnerTag = partnerTag
        self.store = store
        self.tokenURL = tokenURL ?? version.usualTokenURL
    }

    var tokenRequest: HTTPRequest {
        let fields = [
            (name: "grant_type", value: "client_credentials"), (name: "client_id", value: clientID.exposed),
            (name: "client_secret", value: clientSecret.exposed), (name: "scope", value: version.scope),
        ]
        let body: String
        if version.isCognito {
            body = fields.map { "\($0.name)=\(HTTPRequest.encoded($0.value))" }.joined(separator: "&")
        } else {
            body = JSONWriter.text(
                .object(JSONObject(fields.map { JSONObject.Member(name: $0.name, value: .string($0.value)) }))
            )
        }
        let type = version.isCognito ? "application/x-www-form-urlencoded" : "application/json"
        var request = HTTPRequest(
            .post,
            tokenURL,
            headers: [HTTPHeader("Content-Type", type), HTTPHeader("Accept", "application/json")],
            body: Array(body.utf8),
            isIdempotent: true
        )
        request.isCounted = false
        return request
    }
}

/// The token of an account: asked for once however many calls need it, and again before it expires.
final class AmazonTokens: Sendable {
    private struct Token {
        let secret: Secret
        let expires: ContinuousClock.Instant
    }

    private struct State {
        var token: Token?
        /// The request under way, which others wait for.
        var pending: Task<Result<Secret, StageFailure>, Never>?
    }

    /// A token is not used in its last minute.
    private static let margin = Duration.seconds(60)
    private let account: AmazonAccount
    private let sender: any HTTPSender
    private let state = Mutex(State())

    init(_ account: AmazonAccount, sender: any HTTPSender) {
        self.account = account
        self.sender = sender
    }

    /// The header with a token that is good for now.
    func header(by deadline: ContinuousClock.Instant) async throws(StageFailure) -> HTTPHeader {
        header(of: try await token(by: deadline))
    }

    private func header(of token: Secret) -> HTTPHeader {
        guard account.version.isCognito else { return HTTPHeader("Authorization", "Bearer ", secret: token) }
        return HTTPHeader(
            "Authorization",
            "Bearer ",
            secret: Secret("\(token.exposed), Version \(account.version.rawValue)")
        )
    }

    /// Forgets the token that a header was made of, which the service no longer takes; a newer one stays.
    func forget(_ used: HTTPHeader) {
        state.withLock { state in
            if let token = state.token, header(of: token.secret).value == used.value { state.token = nil }
        }
    }

    private func token(by deadline: ContinuousClock.Instant) async throws(StageFailure) -> Secret {
        let now = ContinuousClock.now
        let (known, pending) = state.withLock { state -> (Secret?, Task<Result<Secret, StageFailure>, Never>?) in
            if let token = state.token, token.expires > now { return (token.secret, nil) }
            if let pending = state.pending { return (nil, pending) }
            // The first call's deadline is everybody's: the request ends by it, and whoever comes later asks again.
            let pending = Task { await self.ask(by: deadline) }
            state.pending = pending
            return (nil, pending)
        }
        if let known { return known }
        guard let pending else { throw StageFailure(.provider, code: "no_token", "amazon has no token") }
        return try await pending.value.get()
    }

    private func ask(by deadline: ContinuousClock.Instant) async -> Result<Secret, StageFailure> {
        let answer = await answer(by: deadline)
        state.withLock { state in
            state.pending = nil
            if case .success(let token) = answer { state.token = token }
        }
        return answer.map(\.secret)
    }

    private func answer(by deadline: ContinuousClock.Instant) async -> Result<Token, StageFailure> {
        let reply: HTTPResponse
        do throws(HTTPFailure) {
            reply = try await sender.send(account.tokenRequest, by: deadline)
        } catch {
            return .failure(error.stageFailure(of: "amazon"))
        }
        do throws(ServiceFailure) {
            if let failure = AmazonWire.tokenFailure(of: reply) { throw failure }
            let json = try reply.json()
            guard let text = json["access_token"]?.text else {
                throw ServiceFailure("no_token", "replied without a token")
            }
            let life = Duration.seconds(max(json["expires_in"]?.count ?? 3_600, 0))
            return .success(Token(secret: Secret(text), expires: .now.advanced(by: life - Self.margin)))
        } catch {
            return .failure(error.stageFailure(of: "amazon"))
        }
    }
}
