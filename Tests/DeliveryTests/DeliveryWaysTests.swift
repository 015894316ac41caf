import TestSupport
import Testing

@testable import Delivery

@Suite("The ways of delivery, out of settings")
struct DeliveryWaysTests {
    private func problems(_ variables: [String: String]) -> [String] {
        do throws(DeliverySettingsError) {
            _ = try DeliveryWays.configured { variables[$0] }
            return []
        } catch {
            return error.problems.map(\.description)
        }
    }

    @Test(
        arguments: [
            ([:], ["KNOT_DELIVERY is not set"]),
            (["KNOT_DELIVERY": "pigeon"], ["KNOT_DELIVERY is none of outbox, webhook, apns"]),
            (["KNOT_DELIVERY": "outbox"], ["KNOT_OUTBOX is not set"]),
            (
                ["KNOT_DELIVERY": "outbox", "KNOT_OUTBOX": "/tmp", "KNOT_OUTBOX_MOST": "many"],
                ["KNOT_OUTBOX_MOST is no number from 1 to 1000000"]
            ),
            (
                ["KNOT_DELIVERY": "webhook"],
                [
                    "KNOT_WEBHOOK_URL is not set",
                    "KNOT_WEBHOOK_KEY is not set, and KNOT_WEBHOOK_KEY_FILE names no file",
                ]
            ),
            (
                ["KNOT_DELIVERY": "webhook", "KNOT_WEBHOOK_URL": "http://shop.example/", "KNOT_WEBHOOK_KEY": "short"],
                [
                    "KNOT_WEBHOOK_URL is without TLS: only this machine is called by http",
                    "KNOT_WEBHOOK_KEY has fewer than 16 bytes: take a longer one",
                ]
            ),
            (
                [
                    "KNOT_DELIVERY": "webhook", "KNOT_WEBHOOK_URL": "http://127.0.0.1:8080/",
                    "KNOT_WEBHOOK_KEY": "0123456789abcdef",
                ],
                ["KNOT_WEBHOOK_URL is this machine: set KNOT_WEBHOOK_PRIVATE=allowed where that is meant"]
            ),
            (
                ["KNOT_DELIVERY": "apns", "KNOT_APNS_KEY": "no key", "KNOT_APNS_KEY_ID": "short"],
                [
                    "KNOT_APNS_KEY has no private key of the curve P-256: take the .p8 file as Apple gave it",
                    "KNOT_APNS_KEY_ID is not 10 letters and digits", "KNOT_APNS_TEAM_ID is not set",
                    "KNOT_APNS_TOPIC is not set",
                ]
            ),
            (
                ["KNOT_DELIVERY": "outbox", "KNOT_OUTBOX": "/tmp", "KNOT_DELIVERY_AUTHORITIES": "/none"],
                ["KNOT_DELIVERY_AUTHORITIES names a file that cannot be used: there is no such file"]
            ),
            (
                [
                    "KNOT_DELIVERY": "webhook", "KNOT_WEBHOOK_URL": "https://x.example",
                    "KNOT_WEBHOOK_KEY_FILE": "/none",
                ],
                ["KNOT_WEBHOOK_KEY_FILE gives nothing: there is no such file"]
            ),
        ] as [([String: String], [String])]
    )
    func `everything that is missing or wrong is said at once`(variables: [String: String], expected: [String]) {
        #expect(problems(variables) == expected)
    }

    @Test func `each way is made of its settings, and secrets of files`() throws {
        let folder = try ScratchFolder()
        try OpenSSL.makeKey(at: folder.file("key.p8"))
        let secret = try folder.write("0123456789abcdef\n", to: "secret")
        let settings: [[String: String]] = [
            ["KNOT_DELIVERY": "outbox", "KNOT_OUTBOX": folder.path],
            [
                "KNOT_DELIVERY": "webhook", "KNOT_WEBHOOK_URL": "https://hooks.example/knot",
                "KNOT_WEBHOOK_KEY_FILE": secret, "KNOT_WEBHOOK_OTHER_KEY": "fedcba9876543210",
            ],
            [
                "KNOT_DELIVERY": "webhook", "KNOT_WEBHOOK_URL": "http://localhost:8080/knot",
                "KNOT_WEBHOOK_KEY_FILE": secret, "KNOT_WEBHOOK_PRIVATE": "allowed",
            ],
            [
                "KNOT_DELIVERY": "apns", "KNOT_APNS_KEY_FILE": folder.file("key.p8"), "KNOT_APNS_KEY_ID": "KEY1234567",
                "KNOT_APNS_TEAM_ID": "TEAM123456", "KNOT_APNS_TOPIC": "app.knot.ios",
                "KNOT_APNS_ENVIRONMENT": "sandbox",
            ],
        ]
        for variables in settings {
            let way = try DeliveryWays.configured { variables[$0] }
            #expect(way.name == variables["KNOT_DELIVERY"])
        }
    }

    @Test func `no message shows what a setting holds`() {
        let secret = "canary-1"
        let variables = Dictionary(uniqueKeysWithValues: DeliveryWays.variables.map { ($0.name, secret) })
        for way in ["outbox", "webhook", "apns"] {
            let said = problems(variables.merging(["KNOT_DELIVERY": way]) { $1 })
            #expect(!said.isEmpty && !said.joined().contains(secret), "\(said)")
        }
    }
}
