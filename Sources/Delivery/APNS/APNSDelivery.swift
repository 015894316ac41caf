import Digest
package import HTTPClient
import JSONDocument
import KnotDomain
import Signing

/// Notices to telephones, by Apple's push service over HTTP/2.
///
/// An accepted notice is not a seen one: Apple says nothing about that.
package final class APNSDelivery: NoticeDelivery {
    package struct Settings: Sendable {
        /// `https://api.push.apple.com`, or the sandbox's.
        package var base: String
        /// The app's bundle id.
        package var topic: String

        package init(base: String, topic: String) {
            self.base = base
            self.topic = topic
        }
    }

    package let name = "apns"
    private let settings: Settings
    private let tokens: APNSTokenSource
    private let sender: any HTTPSender
    private let clock: ServiceClock
    private let proof: APNSProof

    /// What the service takes in bytes.
    static let longestPayload = 4_096
    /// The longest that the service keeps a notice.
    private static let longestStorage: Int64 = 30 * 86_400

    package init(
        _ settings: Settings,
        tokens: APNSTokenSource,
        sender: any HTTPSender,
        proof: APNSProof = APNSProof(),
        clock: ServiceClock = .system
    ) {
        self.settings = settings
        self.tokens = tokens
        self.sender = sender
        self.proof = proof
        self.clock = clock
    }

    package func refusal(of device: Notice.Device?) -> DeliveryResult? {
        if case .failure(let result) = Self.address(of: device) { result.result } else { nil }
    }

    private struct Refusal: Error {
        let result: DeliveryResult
    }

    private static func address(of device: Notice.Device?) -> Result<String, Refusal> {
        guard let device else {
            return .failure(
                Refusal(result: .refused(code: "apns_no_device", detail: "No device of this person is known."))
            )
        }
        guard ["ios", "ipados", "macos", "watchos", "visionos"].contains(device.platform.lowercased()) else {
            return .failure(
                Refusal(result: .refused(code: "apns_other_platform", detail: "The device is none of Apple's."))
            )
        }
        let address = device.token.lowercased()
        guard (2...400).contains(address.utf8.count), address.utf8.allSatisfy(isHexDigit) else {
            return .failure(Refusal(result: .deviceGone(code: "apns_no_device_token", since: nil)))
        }
        return .success(address)
    }

    package func deliver(_ notice: Notice, until deadline: ContinuousClock.Instant) async -> DeliveryResult {
        let address: String
        switch Self.address(of: notice.device) {
        case .success(let found): address = found
        case .failure(let refusal): return refusal.result
        }
        let now = clock.secondsSince1970()
        guard notice.expires.secondsSinceEpoch > now else {
            return .refused(code: "apns_expired", detail: "The notice is of no use any more.")
        }
        let payload = Self.payload(notice)
        guard payload.count <= Self.longestPayload else {
            return .refused(
                code: "apns_payload_too_large",
                detail: "The notice has \(payload.count) bytes, and Apple takes \(Self.longestPayload)."
            )
        }
        let call = Call(address: address, notice: notice, payload: payload, now: now)
        return await send(call, with: tokens.token(), isLast: false, by: deadline)
    }

    /// Everything that one notice is sent with, whatever token goes with it.
    private struct Call {
        let address: String
        let notice: Notice
        let payload: [UInt8]
        let now: Int64
    }

    private func send(
        _ call: Call,
        with token: APNSTokenSource.Token,
        isLast: Bool,
        by deadline: ContinuousClock.Instant
    ) async -> DeliveryResult {
        let response: HTTPResponse
        do throws(HTTPFailure) {
            response = try await sender.send(request(call, token), by: deadline)
        } catch {
            return DeliveryAnswer.result(of: error, name)
        }
        guard response.status != 200 else {
            proof.note()
            return .delivered(receipt: response.headers["apns-id"].map { String($0.prefix(64)) })
        }
        let answer = APNSAnswer(response)
        switch answer.verdict(wait: DeliveryAnswer.wait(response, now: clock.secondsSince1970())) {
        case .result(let result): return result
        case .doubtfulDevice: return doubtful(answer)
        case .keepToken:
            return .later(
                code: answer.code,
                detail: "Apple saw too many tokens of the key: stop other programs that use it, or wait.",
                after: max(.seconds(60), tokens.keepsFor)
            )
        case .renewToken:
            guard !isLast, case .success(let next) = tokens.token(after: token) else {
                return .misconfigured(code: answer.code, detail: wrongTime(response))
            }
            return await send(call, with: next, isLast: true, by: deadline)
        }
    }

    /// A token of the sandbox is a bad one in production, and then every device's is: before one was right no device is
    /// forgotten, and no notice lost.
    private func doubtful(_ answer: APNSAnswer) -> DeliveryResult {
        if proof.isThere { return .deviceGone(code: answer.code, since: nil) }
        return .later(
            code: answer.code,
            detail:
                "Apple does not know the device for this app; where that is so of every device, KNOT_APNS_ENVIRONMENT "
                + "or KNOT_APNS_TOPIC is wrong.",
            after: .seconds(900)
        )
    }

    /// A young token is called old where clocks differ.
    private func wrongTime(_ response: HTTPResponse) -> String {
        let theirs = response.headers["date"].flatMap(RetryAfter.date)
        let ahead = theirs.map { clock.secondsSince1970() - $0 } ?? 0
        guard abs(ahead) >= 60 else {
            return "Apple calls a new token too old: look at the key and at this machine's clock."
        }
        return "Apple calls a new token too old, and this machine's clock is \(abs(ahead)) s "
            + "\(ahead > 0 ? "ahead of" : "behind") Apple's: set it."
    }

    /// As often as libcurl sends a request that was refused without being read.
    private static let mostSendings = 6

    private func request(_ call: Call, _ token: APNSTokenSource.Token) -> HTTPRequest {
        let expiration = min(call.notice.expires.secondsSinceEpoch, call.now + Self.longestStorage)
        let id = Self.uuid(of: call.notice.id)
        var request = HTTPRequest(
            .post,
            "\(settings.base)/3/device/\(call.address)",
            headers: [
                HTTPHeader("Authorization", "bearer ", secret: token.text),
                HTTPHeader("Content-Type", "application/json"),
                HTTPHeader("apns-topic", settings.topic),
                HTTPHeader("apns-push-type", "alert"),
                HTTPHeader("apns-priority", "10"),
                HTTPHeader("apns-expiration", String(expiration)),
                // The same for whatever is sent again: the telephone shows it once.
                HTTPHeader("apns-id", id),
                HTTPHeader("apns-collapse-id", id),
            ],
            body: call.payload,
            limits: DeliveryAnswer.limits,
            isIdempotent: true
        )
        // Apple refuses streams beyond those that it takes at once, and has no quota.
        request.mostSendings = Self.mostSendings
        return request
    }

    /// Title and text, and which choice the app is to open; nothing else of anybody.
    static func payload(_ notice: Notice) -> [UInt8] {
        var payload = JSONObject()
        payload["aps"] = [
            "alert": ["title": .string(notice.title), "body": .string(notice.body)],
            "sound": "default",
            "thread-id": "choices",
        ]
        if let choice = notice.choices.first, choice.id.utf8.count <= 200, choice.kind.utf8.count <= 50 {
            payload["knot"] = ["candidate_id": .string(choice.id), "kind": .string(choice.kind)]
        }
        return JSONWriter.bytes(.object(payload))
    }

    /// The id in lower case where it is a UUID, and otherwise one made of its hash.
    static func uuid(of id: NoticeID) -> String {
        let text = id.description.lowercased()
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        if parts.map(\.utf8.count) == [8, 4, 4, 4, 12], parts.joined().utf8.allSatisfy(isHexDigit) { return text }
        var bytes = Array(SHA256Digest(of: id.description).bytes.prefix(16))
        // Version 8 of RFC 9562: made in a way of one's own.
        bytes[6] = bytes[6] & 0x0F | 0x80
        bytes[8] = bytes[8] & 0x3F | 0x80
        return [bytes[0..<4], bytes[4..<6], bytes[6..<8], bytes[8..<10], bytes[10..<16]].map(ByteText.hex)
            .joined(separator: "-")
    }

    private static func isHexDigit(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || (0x61...0x66).contains(byte)
    }
}
