import FileInput
import HTTPClient
import Signing
import Threads

/// The ways by which notices can leave, and how one of them is made of the settings in variables.
package enum DeliveryWays {
    /// A setting, for whoever lists them.
    package struct Variable: Sendable, Hashable {
        package let name: String
        /// The way that it belongs to; nil for those of all.
        package let way: String?
        package let meaning: String
    }

    /// All settings; each can also stand in a file that the variable with `_FILE` names.
    package static let variables: [Variable] = [
        Variable(name: "KNOT_DELIVERY", way: nil, meaning: "where notices go: outbox, webhook or apns"),
        Variable(
            name: "KNOT_DELIVERY_AUTHORITIES",
            way: nil,
            meaning: "a file of certificates to trust instead of the system's"
        ),
        Variable(name: "KNOT_OUTBOX", way: "outbox", meaning: "the folder that another system reads"),
        Variable(
            name: "KNOT_OUTBOX_MOST",
            way: "outbox",
            meaning: "files that may wait there, 10000 where it is not set"
        ),
        Variable(name: "KNOT_WEBHOOK_URL", way: "webhook", meaning: "the address that is called, by https"),
        Variable(name: "KNOT_WEBHOOK_KEY", way: "webhook", meaning: "the key that signs, 16 bytes at least"),
        Variable(
            name: "KNOT_WEBHOOK_OTHER_KEY",
            way: "webhook",
            meaning: "a second key that signs too, while one is replaced"
        ),
        Variable(
            name: "KNOT_WEBHOOK_PRIVATE",
            way: "webhook",
            meaning: "allowed, where the address is in a network of your own"
        ),
        Variable(
            name: "KNOT_APNS_KEY",
            way: "apns",
            meaning: "the private key of Apple's .p8 file, better by KNOT_APNS_KEY_FILE"
        ),
        Variable(name: "KNOT_APNS_KEY_ID", way: "apns", meaning: "the key's id, ten letters and digits"),
        Variable(name: "KNOT_APNS_TEAM_ID", way: "apns", meaning: "the team's id, ten letters and digits"),
        Variable(name: "KNOT_APNS_TOPIC", way: "apns", meaning: "the app's bundle id"),
        Variable(
            name: "KNOT_APNS_ENVIRONMENT",
            way: "apns",
            meaning: "production, or sandbox for apps under development"
        ),
        Variable(name: "KNOT_APNS_URL", way: "apns", meaning: "another server than Apple's, for tests"),
    ]

    /// The names of all variables that are read, those that name files too.
    package static var environment: [String] { variables.flatMap { [$0.name, $0.name + "_FILE"] } }

    /// The way that the variables say, ready to deliver; nothing is opened and nobody asked before the first notice.
    ///
    /// The variables are this process's own where nothing else is said.
    package static func configured(
        _ variable: (String) -> String? = Secret.variable
    ) throws(DeliverySettingsError) -> any NoticeDelivery {
        var settings = DeliverySettings(variable)
        let home = ["XDG_STATE_HOME", "HOME"].compactMap { name in variable(name).map { (name, $0) } }
        let state = UserFolder.state.path(of: "knot-recommend", Dictionary(uniqueKeysWithValues: home))
        let way = settings.choice("KNOT_DELIVERY", among: ["outbox", "webhook", "apns"], default: nil)
        let authorities = settings.file("KNOT_DELIVERY_AUTHORITIES")
        let made: (any NoticeDelivery)? =
            switch way {
            case "outbox": outbox(&settings)
            case "webhook": webhook(&settings, authorities)
            case "apns": apns(&settings, authorities, state: state)
            default: nil
            }
        guard let made, settings.problems.isEmpty else { throw DeliverySettingsError(problems: settings.problems) }
        return made
    }

    /// The notices that wait in the outbox which the variables name, whatever way they say; nil where they name none.
    package static func waiting(_ variable: (String) -> String?) -> WaitingNotices? {
        var settings = DeliverySettings(variable)
        return settings.optional("KNOT_OUTBOX").map { WaitingNotices(in: $0) }
    }

    private static func outbox(_ settings: inout DeliverySettings) -> (any NoticeDelivery)? {
        let folder = settings.required("KNOT_OUTBOX")
        let most = settings.count("KNOT_OUTBOX_MOST", in: 1...1_000_000, default: 10_000)
        return folder.map { OutboxDelivery(folder: $0, most: most) }
    }

    private static func webhook(_ settings: inout DeliverySettings, _ authorities: String?) -> (any NoticeDelivery)? {
        let isPrivate =
            settings.choice("KNOT_WEBHOOK_PRIVATE", among: ["allowed", "refused"], default: "refused") == "allowed"
        let url = settings.url("KNOT_WEBHOOK_URL")
        if let url, url.scheme == .http, !url.isLoopback {
            settings.note("KNOT_WEBHOOK_URL", "is without TLS: only this machine is called by http")
        } else if let url, url.isLoopback, !isPrivate {
            settings.note("KNOT_WEBHOOK_URL", "is this machine: set KNOT_WEBHOOK_PRIVATE=allowed where that is meant")
        }
        let key = settings.required(secret: "KNOT_WEBHOOK_KEY", bytes: 16)
        let other = settings.optional(secret: "KNOT_WEBHOOK_OTHER_KEY", bytes: 16)
        guard let url, let key, let client = settings.client(authorities) else { return nil }
        let vetting = AddressVetting(
            resolver: SystemResolver(timers: DeadlineTimers()),
            trusted: isPrivate ? [url.origin] : [],
            ports: nil
        )
        return WebhookDelivery(
            .init(url: url, keys: [key] + [other].compactMap(\.self)),
            sender: client,
            vetting: vetting
        )
    }

    private static func apns(
        _ settings: inout DeliverySettings,
        _ authorities: String?,
        state: String?
    ) -> (any NoticeDelivery)? {
        let pem = settings.required(secret: "KNOT_APNS_KEY", bytes: 1)
        let key = pem.flatMap { SigningKey(pem: $0.exposed) }
        if pem != nil, key == nil {
            settings.note("KNOT_APNS_KEY", "has no private key of the curve P-256: take the .p8 file as Apple gave it")
        }
        let id = settings.word("KNOT_APNS_KEY_ID", of: 10)
        let team = settings.word("KNOT_APNS_TEAM_ID", of: 10)
        let topic = settings.topic("KNOT_APNS_TOPIC")
        let environment = settings.choice(
            "KNOT_APNS_ENVIRONMENT",
            among: ["production", "sandbox"],
            default: "production"
        )
        let own = settings.optional("KNOT_APNS_URL") == nil ? nil : settings.url("KNOT_APNS_URL")
        if let own, own.target != "/" { settings.note("KNOT_APNS_URL", "has a path; it names a server only") }
        guard let key, let id, let team, let topic, let client = settings.client(authorities) else { return nil }
        let host = environment == "sandbox" ? "api.sandbox.push.apple.com" : "api.push.apple.com"
        let signing = APNSKey(id: id, team: team, key: key)
        let app = APNSDelivery.Settings(base: own?.origin ?? "https://\(host)", topic: topic)
        return APNSDelivery(
            app,
            tokens: APNSTokenSource(signing),
            sender: client,
            proof: APNSProof(in: state, of: app, key: signing)
        )
    }
}
