import HTTPClient
import JSONDocument
import KnotDomain
import LoopbackServer
import Synchronization
import TestSupport
import Testing

@testable import Delivery

@Suite("Apple's push service")
struct APNSDeliveryTests {
    private static var soon: ContinuousClock.Instant { LastResort.end }

    private static func error(_ status: Int, _ reason: String?, _ more: String = "") -> LoopbackReply {
        .json(reason.map { #"{"reason":"\#($0)"\#(more)}"# } ?? "", status: status)
    }

    /// What becomes of a notice where the service answers that.
    private func result(of reply: LoopbackReply, _ notice: Notice = .invented()) async throws -> DeliveryResult {
        let server = try LoopbackServer { _ in reply }
        defer { server.stop() }
        return await (try APNSScene(server.url)).delivery.deliver(notice, until: Self.soon)
    }

    struct Row: Sendable, CustomTestStringConvertible {
        let status: Int
        let reason: String?
        let result: String
        var testDescription: String { "\(status) \(reason ?? "alone")" }

        init(_ status: Int, _ reason: String?, _ result: String) {
            (self.status, self.reason, self.result) = (status, reason, result)
        }
    }

    @Test(arguments: [
        Row(400, "BadDeviceToken", "later apns_bad_device_token"),
        Row(400, "DeviceTokenNotForTopic", "later apns_device_token_not_for_topic"),
        Row(400, "BadCollapseId", "refused apns_bad_collapse_id"),
        Row(400, "BadExpirationDate", "refused apns_bad_expiration_date"),
        Row(400, "BadMessageId", "refused apns_bad_message_id"),
        Row(400, "BadPriority", "refused apns_bad_priority"),
        Row(400, "BadTopic", "misconfigured apns_bad_topic"),
        Row(400, "DuplicateHeaders", "refused apns_duplicate_headers"),
        Row(400, "InvalidPushType", "refused apns_invalid_push_type"),
        Row(400, "MissingDeviceToken", "refused apns_missing_device_token"),
        Row(400, "MissingTopic", "misconfigured apns_missing_topic"),
        Row(400, "PayloadEmpty", "refused apns_payload_empty"),
        Row(400, "TopicDisallowed", "misconfigured apns_topic_disallowed"),
        Row(400, "IdleTimeout", "later apns_idle_timeout"),
        Row(403, "ExpiredProviderToken", "misconfigured apns_expired_provider_token"),
        Row(403, "InvalidProviderToken", "misconfigured apns_invalid_provider_token"),
        Row(403, "MissingProviderToken", "misconfigured apns_missing_provider_token"),
        Row(403, "UnrelatedKeyIdInToken", "misconfigured apns_unrelated_key_id_in_token"),
        Row(403, "BadEnvironmentKeyInToken", "misconfigured apns_bad_environment_key_in_token"),
        Row(403, "BadEnvironmentKeyIdInToken", "misconfigured apns_bad_environment_key_id_in_token"),
        Row(403, "BadCertificate", "misconfigured apns_bad_certificate"),
        Row(403, "BadCertificateEnvironment", "misconfigured apns_bad_certificate_environment"),
        Row(403, "Forbidden", "misconfigured apns_forbidden"),
        Row(404, "BadPath", "refused apns_bad_path"),
        Row(405, "MethodNotAllowed", "refused apns_method_not_allowed"),
        Row(410, "Unregistered", "gone apns_unregistered"),
        Row(410, "ExpiredToken", "gone apns_expired_token"),
        Row(413, "PayloadTooLarge", "refused apns_payload_too_large"),
        Row(429, "TooManyProviderTokenUpdates", "later apns_too_many_provider_token_updates"),
        Row(429, "TooManyRequests", "later apns_too_many_requests"),
        Row(500, "InternalServerError", "later apns_internal_server_error"),
        Row(503, "ServiceUnavailable", "later apns_service_unavailable"),
        Row(503, "Shutdown", "later apns_shutdown"),
        // A reason that nobody knows, and none at all, mean what the status means.
        Row(400, "Novel", "refused apns_status_400"),
        Row(403, nil, "misconfigured apns_status_403"),
        Row(404, nil, "misconfigured apns_status_404"),
        Row(410, "<script>", "gone apns_status_410"),
        Row(429, nil, "later apns_status_429"),
        Row(502, nil, "later apns_status_502"),
        Row(204, nil, "later apns_status_204"),
        Row(302, nil, "later apns_status_302"),
    ])
    func `each reason is answered as the service's pages ask`(row: Row) async throws {
        let result = try await result(of: Self.error(row.status, row.reason))
        #expect(result.short == row.result)
        #expect(!result.detail.contains("<script>"))
    }

    @Test func `a code fits the queue's column`() {
        for reason in APNSAnswer.Reason.allCases {
            let code = APNSAnswer(status: 400, reason: reason).code
            #expect(code.count <= 50 && code.allSatisfy { $0.isLowercase || $0 == "_" }, "\(code)")
        }
    }

    @Test func `a device is gone since the moment that the service tells in milliseconds`() async throws {
        let result = try await result(of: Self.error(410, "Unregistered", #","timestamp":1795200000123"#))
        let since = Instant(millisecondsSinceEpoch: 1_795_200_000_123)
        #expect(result == .deviceGone(code: "apns_unregistered", since: since))
    }

    @Test func `a limit of one device, of the token, and of the service each has its own wait`() async throws {
        #expect(try await result(of: Self.error(429, "TooManyRequests")).wait == .seconds(300))
        let busy = LoopbackReply(503, headers: [("Retry-After", "90")], body: Array(#"{"reason":"Shutdown"}"#.utf8))
        #expect(try await result(of: busy).wait == .seconds(90))
        let updates = try await result(of: Self.error(429, "TooManyProviderTokenUpdates"))
        #expect(try #require(updates.wait) > .seconds(19 * 60) && updates.wait! <= .seconds(20 * 60))
    }

    @Test func `a device that does not fit is forgotten only once the service has taken something`() async throws {
        let isBad = Mutex(true)
        let server = try LoopbackServer { _ in
            isBad.withLock { $0 } ? Self.error(400, "BadDeviceToken") : LoopbackReply(200)
        }
        defer { server.stop() }
        let delivery = try APNSScene(server.url).delivery
        let first = await delivery.deliver(.invented(), until: Self.soon)
        #expect(first.short == "later apns_bad_device_token" && first.detail.contains("KNOT_APNS_ENVIRONMENT"))
        isBad.withLock { $0 = false }
        #expect(await delivery.deliver(.invented(), until: Self.soon).short == "delivered")
        isBad.withLock { $0 = true }
        let gone = await delivery.deliver(.invented(), until: Self.soon)
        #expect(gone == .deviceGone(code: "apns_bad_device_token", since: nil))
    }

    @Test func `what the service has taken once counts in later processes of the same app, and of no other`()
        async throws
    {
        let isBad = Mutex(false)
        let server = try LoopbackServer { _ in
            isBad.withLock { $0 } ? Self.error(400, "BadDeviceToken") : LoopbackReply(200)
        }
        defer { server.stop() }
        let folder = try ScratchFolder()
        try OpenSSL.makeKey(at: folder.file("key.p8"))
        // Each as a process of its own has it: what `work --drain` and `run-due` begin anew every few minutes.
        func process(_ topic: String = "app.knot.ios", state: String = "state") async throws -> DeliveryResult {
            let variables = [
                "KNOT_DELIVERY": "apns", "KNOT_APNS_KEY_FILE": folder.file("key.p8"), "KNOT_APNS_KEY_ID": "KEY1234567",
                "KNOT_APNS_TEAM_ID": "TEAM123456", "KNOT_APNS_TOPIC": topic, "KNOT_APNS_URL": server.url,
                "XDG_STATE_HOME": folder.file(state),
            ]
            return await (try DeliveryWays.configured { variables[$0] })
                .deliver(.invented(), until: Self.soon)
        }
        isBad.withLock { $0 = true }
        #expect(try await process().short == "later apns_bad_device_token")
        isBad.withLock { $0 = false }
        #expect(try await process().short == "delivered")
        isBad.withLock { $0 = true }
        #expect(try await process() == .deviceGone(code: "apns_bad_device_token", since: nil))
        #expect(try await process("app.other.ios").short == "later apns_bad_device_token")
        #expect(try await process(state: "elsewhere").short == "later apns_bad_device_token")
    }

    @Test func `a notice is asked for as the service wants it, with nothing of a person but its two lines`()
        async throws
    {
        let server = try LoopbackServer { _ in LoopbackReply(200, headers: [("apns-id", "their-id")]) }
        defer { server.stop() }
        let scene = try APNSScene(server.url)
        #expect(await scene.delivery.deliver(.invented(), until: Self.soon) == .delivered(receipt: "their-id"))
        let request = try #require(server.requests.first)
        let token = "aa11bb22cc33dd44ee55ff6600112233445566778899aabbccddeeff00112233"
        #expect(request.method == "POST" && request.target == "/3/device/\(token)")
        let expected = [
            "apns-topic": "app.knot.ios", "apns-push-type": "alert", "apns-priority": "10",
            "apns-id": "3f2c8d1e-0a4b-4c5d-8e6f-112233445566",
            "apns-collapse-id": "3f2c8d1e-0a4b-4c5d-8e6f-112233445566",
            "apns-expiration": "\(APNSScene.start + 30 * 86_400)", "content-type": "application/json",
        ]
        for (name, value) in expected { #expect(request.header(name) == value) }
        let payload: JSONValue = [
            "aps": [
                "alert": ["title": "Ana: Birthday in 3 days", "body": "Ideas: Pottery class · A lamp"],
                "sound": "default", "thread-id": "choices",
            ],
            "knot": ["candidate_id": "c_17", "kind": "experience"],
        ]
        #expect(try JSONParser.parse(request.body) == payload)
    }

    @Test func `without a device of Apple's that is one, or a notice of use, nobody is asked`() async throws {
        let server = try LoopbackServer { _ in LoopbackReply(200) }
        defer { server.stop() }
        let delivery = try APNSScene(server.url).delivery
        let past = Instant(millisecondsSinceEpoch: APNSScene.start * 1_000)
        let cases: [(Notice, String)] = [
            (.invented(token: nil), "refused apns_no_device"),
            (.invented(platform: "android"), "refused apns_other_platform"),
            (.invented(token: "../../etc"), "gone apns_no_device_token"),
            (.invented(token: ""), "gone apns_no_device_token"),
            (.invented(token: "aa?x=\r\n"), "gone apns_no_device_token"),
            (.invented(expires: past), "refused apns_expired"),
            (.invented(body: String(repeating: "x", count: 5_000)), "refused apns_payload_too_large"),
        ]
        for (notice, expected) in cases {
            #expect(await delivery.deliver(notice, until: Self.soon).short == expected)
            // It is known before anything is made, but for what the notice itself is to blame for.
            let isOfDevice = !["refused apns_expired", "refused apns_payload_too_large"].contains(expected)
            #expect(delivery.refusal(of: notice.device)?.short == (isOfDevice ? expected : nil))
        }
        #expect(server.counts.connections == 0)
    }

    @Test func `whatever strangers write, a composed notice fits and tells nothing else`() throws {
        let seed: UInt64 = 4_096
        var random = SeededRandom(seed: seed)
        let pieces = ["👩‍👩‍👧‍👦", "\"", "\\", "\u{1}", "日", "a", " ", "<", "\u{301}", "🏴󠁧󠁢󠁥󠁮󠁧󠁿", "\u{7F}", "é"]
        func text() -> String {
            (0..<Int.random(in: 0...200, using: &random)).map { _ in pieces.randomElement(using: &random) ?? "" }
                .joined()
        }
        let model = Notice.invented()
        for round in 0..<500 {
            let notice = Notice(
                id: NoticeID(text()),
                user: model.user,
                vault: model.vault,
                partner: text(),
                today: CivilDate(daysSinceEpoch: 20_777),
                occasions: model.occasions,
                choices: [.init(id: text(), kind: "gift", title: text()), .init(id: "b", kind: "gift", title: text())],
                device: model.device,
                expires: model.expires
            )
            let payload = APNSDelivery.payload(notice)
            #expect(payload.count <= APNSDelivery.longestPayload, "round \(round) of seed \(seed)")
            let shown = String(decoding: payload, as: UTF8.self)
            #expect(!shown.contains("canary"), "round \(round) of seed \(seed): \(shown)")
            #expect(try JSONParser.parse(payload)["aps"]?["alert"]?["body"]?.string == notice.body)
            let id = APNSDelivery.uuid(of: notice.id)
            #expect(id.utf8.count == 36 && id == id.lowercased() && id == APNSDelivery.uuid(of: notice.id))
        }
    }

    @Test(arguments: Misbehaviour.stalling + Misbehaviour.breaking)
    func `what comes to no answer is tried later, by the deadline`(behaviour: Misbehaviour) async throws {
        let server = try LoopbackServer { _ in behaviour.reply }
        defer { server.stop() }
        let delivery = try APNSScene(server.url).delivery
        let result = await delivery.deliver(.invented(), until: .now + .milliseconds(400))
        #expect(["later apns_timeout", "later apns_reset"].contains(result.short), "\(behaviour)")
    }
}
