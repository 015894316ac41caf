import Foundation
import KnotDomain

@testable import Delivery

extension Notice {
    /// A notice of one day with two choices, which is of use for a long time.
    static func invented(
        id: String = "3f2c8d1e-0a4b-4c5d-8e6f-112233445566",
        title: String = "Ana: Birthday in 3 days",
        body: String = "Ideas: Pottery class · A lamp",
        token: String? = "AA11BB22CC33DD44EE55FF6600112233445566778899AABBCCDDEEFF00112233",
        platform: String = "ios",
        expires: Instant = Instant(millisecondsSinceEpoch: 4_000_000_000_000),
        isRepeated: Bool = false
    ) -> Notice {
        Notice(
            id: NoticeID(id),
            user: UserID("user-canary"),
            vault: VaultID("vault-canary"),
            title: title,
            body: body,
            occasions: [
                Occasion(
                    milestone: MilestoneID("milestone-canary"),
                    name: "Birthday",
                    day: CivilDate(daysSinceEpoch: 20_780),
                    daysBefore: 3,
                    run: "run-canary"
                )
            ],
            choices: [
                Choice(id: "c_17", kind: "experience", title: "Pottery class"),
                Choice(id: "c_18", kind: "gift", title: "A lamp"),
            ],
            device: token.map { Device(platform: platform, token: $0) },
            expires: expires,
            isRepeated: isRepeated
        )
    }
}

extension DeliveryResult {
    /// The case and the code: `later webhook_status_503`.
    var short: String {
        switch self {
        case .delivered: "delivered"
        case .later(let code, _, _): "later \(code)"
        case .refused(let code, _): "refused \(code)"
        case .deviceGone(let code, _): "gone \(code)"
        case .misconfigured(let code, _): "misconfigured \(code)"
        }
    }

    /// How long it asks to wait.
    var wait: Duration? {
        if case .later(_, _, let after) = self { after } else { nil }
    }

    var detail: String {
        switch self {
        case .delivered, .deviceGone: ""
        case .later(_, let detail, _), .refused(_, let detail), .misconfigured(_, let detail): detail
        }
    }
}
