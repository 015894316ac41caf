import HTTPClient
import JSONDocument
import KnotDomain

/// What Apple's service answered: a status, and a reason out of a list where it is no success.
struct APNSAnswer: Sendable, Equatable {
    let status: Int
    /// One of `reasons`, or nil where there is none that is known.
    let reason: Reason?
    /// Since when a device has not been there.
    let since: Instant?

    enum Reason: String, Sendable, CaseIterable {
        case badDeviceToken = "BadDeviceToken"
        case deviceTokenNotForTopic = "DeviceTokenNotForTopic"
        case badCollapseID = "BadCollapseId"
        case badExpirationDate = "BadExpirationDate"
        case badMessageID = "BadMessageId"
        case badPriority = "BadPriority"
        case badTopic = "BadTopic"
        case duplicateHeaders = "DuplicateHeaders"
        case idleTimeout = "IdleTimeout"
        case invalidPushType = "InvalidPushType"
        case missingDeviceToken = "MissingDeviceToken"
        case missingTopic = "MissingTopic"
        case payloadEmpty = "PayloadEmpty"
        case topicDisallowed = "TopicDisallowed"
        case badCertificate = "BadCertificate"
        case badCertificateEnvironment = "BadCertificateEnvironment"
        case expiredProviderToken = "ExpiredProviderToken"
        case forbidden = "Forbidden"
        case invalidProviderToken = "InvalidProviderToken"
        case missingProviderToken = "MissingProviderToken"
        case unrelatedKeyID = "UnrelatedKeyIdInToken"
        case badEnvironmentKeyID = "BadEnvironmentKeyIdInToken"
        case badEnvironmentKey = "BadEnvironmentKeyInToken"
        case badPath = "BadPath"
        case methodNotAllowed = "MethodNotAllowed"
        case expiredToken = "ExpiredToken"
        case unregistered = "Unregistered"
        case payloadTooLarge = "PayloadTooLarge"
        case tooManyTokenUpdates = "TooManyProviderTokenUpdates"
        case tooManyRequests = "TooManyRequests"
        case internalServerError = "InternalServerError"
        case serviceUnavailable = "ServiceUnavailable"
        case shutdown = "Shutdown"

        /// The reason as a code of ours: `bad_device_token`.
        var code: String {
            rawValue.reduce(into: "") { text, letter in
                if letter.isUppercase, !text.isEmpty { text += "_" }
                text += letter.lowercased()
            }
        }
    }

    init(status: Int, reason: Reason?, since: Instant? = nil) {
        self.status = status
        self.reason = reason
        self.since = since
    }

    /// A body that is no JSON, or has a reason that nobody knows, is an answer of its status alone.
    init(_ response: HTTPResponse) {
        let body: JSONValue
        do throws(JSONSyntaxError) {
            body = try JSONParser.parse(response.body, maximumDepth: 8)
        } catch {
            body = .null
        }
        status = response.status
        reason = body["reason"]?.string.flatMap(Reason.init)
        since = body["timestamp"]?.int.map { Instant(millisecondsSinceEpoch: Int64($0)) }
    }

    var code: String { "apns_\(reason?.code ?? "status_\(status)")" }
}

extension APNSAnswer {
    /// What is to be done about an answer.
    enum Verdict: Sendable, Equatable {
        case result(DeliveryResult)
        /// The token is too old: another one, once.
        case renewToken
        /// The token changed too often: keep it, and wait.
        case keepToken
        /// The device does not go with the topic or the environment: its fault, or that of the configuration.
        case doubtfulDevice
    }

    /// The verdict on this answer, which asks to wait so long where it says so.
    func verdict(wait: Duration?) -> Verdict {
        switch reason {
        case .badDeviceToken, .deviceTokenNotForTopic: .doubtfulDevice
        case .expiredProviderToken: .renewToken
        case .tooManyTokenUpdates: .keepToken
        case .idleTimeout: .result(later(wait))
        case .badTopic, .topicDisallowed, .missingTopic:
            .result(
                misconfigured("correct KNOT_APNS_TOPIC, the bundle id of the app, which the key must be allowed for")
            )
        case .unrelatedKeyID, .invalidProviderToken, .missingProviderToken:
            .result(
                misconfigured("compare KNOT_APNS_KEY, KNOT_APNS_KEY_ID and KNOT_APNS_TEAM_ID with Apple's page of keys")
            )
        case .badEnvironmentKey, .badEnvironmentKeyID, .badCertificateEnvironment:
            .result(
                misconfigured("the key is for the other environment: correct KNOT_APNS_ENVIRONMENT or take its key")
            )
        case .badCollapseID, .badExpirationDate, .badMessageID, .badPriority, .duplicateHeaders, .invalidPushType,
            .missingDeviceToken, .payloadEmpty, .badPath, .methodNotAllowed, .payloadTooLarge:
            .result(refused)
        // A device's own limit, which lasts minutes.
        case .tooManyRequests: .result(later(max(wait ?? .zero, .seconds(300))))
        case .badCertificate, .forbidden, .expiredToken, .unregistered, .internalServerError, .serviceUnavailable,
            .shutdown, nil:
            .result(ofStatus(wait))
        }
    }

    /// By the status, for reasons that say no more and for those that are new.
    private func ofStatus(_ wait: Duration?) -> DeliveryResult {
        switch status {
        case 403: misconfigured("look at the key on Apple's page, and at KNOT_APNS_KEY_ID and KNOT_APNS_TEAM_ID")
        case 404, 405: misconfigured("that is no service of Apple's: look at KNOT_APNS_URL")
        case 410: .deviceGone(code: code, since: since)
        case 429: later(max(wait ?? .zero, .seconds(60)))
        case 400..<500: refused
        default: later(wait)
        }
    }

    private var said: String { "Apple's service answered \(status)\(reason.map { " \($0.rawValue)" } ?? "")" }
    private var refused: DeliveryResult { .refused(code: code, detail: "\(said): it will not take this notice.") }

    private func later(_ wait: Duration?) -> DeliveryResult { .later(code: code, detail: "\(said).", after: wait) }

    private func misconfigured(_ what: String) -> DeliveryResult {
        .misconfigured(code: code, detail: "\(said): \(what).")
    }
}
