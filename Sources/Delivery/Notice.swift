package import KnotDomain

/// What one person is told at one moment: of one or more coming days of one vault, with what was chosen for them.
///
/// It holds what may leave the house and nothing else: no hint, no budget, no note of a stage.
package struct Notice: Sendable, Hashable {
    /// The same whenever the notice is sent again, so that whoever gets it twice can tell.
    package let id: NoticeID
    package let user: UserID
    package let vault: VaultID
    /// Above the text, about 50 characters at most.
    package let title: String
    /// At most `Notice.longestBody` characters.
    package let body: String
    /// The days it reminds of, the nearest first.
    package let occasions: [Occasion]
    /// The choices of the nearest day, in their order.
    package let choices: [Choice]
    /// The person's device; nil where none is known.
    package let device: Device?
    /// From then on it is of no use any more.
    package let expires: Instant
    /// Whether it may have been handed over before, and accepted.
    package let isRepeated: Bool

    package static let longestBody = 100

    package struct Occasion: Sendable, Hashable {
        package let milestone: MilestoneID
        package let name: String
        package let day: CivilDate
        package let daysBefore: Int
        /// The stored run with the choices for this day.
        package let run: String

        package init(milestone: MilestoneID, name: String, day: CivilDate, daysBefore: Int, run: String) {
            self.milestone = milestone
            self.name = name
            self.day = day
            self.daysBefore = daysBefore
            self.run = run
        }
    }

    package struct Choice: Sendable, Hashable {
        package let id: String
        package let kind: String
        package let title: String

        package init(id: String, kind: String, title: String) {
            self.id = id
            self.kind = kind
            self.title = title
        }
    }

    package struct Device: Sendable, Hashable {
        package let platform: String
        package let token: String

        package init(platform: String, token: String) {
            self.platform = platform
            self.token = token
        }
    }

    package init(
        id: NoticeID,
        user: UserID,
        vault: VaultID,
        title: String,
        body: String,
        occasions: [Occasion],
        choices: [Choice],
        device: Device?,
        expires: Instant,
        isRepeated: Bool = false
    ) {
        self.id = id
        self.user = user
        self.vault = vault
        self.title = title
        self.body = body
        self.occasions = occasions
        self.choices = choices
        self.device = device
        self.expires = expires
        self.isRepeated = isRepeated
    }
}

/// A notice's own name: the id of the notification it is, or of one of them; another UUID where that is the name of one before.
package struct NoticeID: Hashable, Sendable, CustomStringConvertible {
    package let description: String

    package init(_ text: String) { description = text }
}

/// Where notices go: a folder or table that another system reads, somebody's web address, a telephone.
package protocol NoticeDelivery: Sendable {
    /// The way's name, as a person configures it: `outbox`, `webhook`, `apns`.
    var name: String { get }

    /// Hands a notice over; never throws, never lasts beyond the deadline by more than a moment.
    ///
    /// A notice may be handed over again after an answer that was lost, always under the same id.
    func deliver(_ notice: Notice, until deadline: ContinuousClock.Instant) async -> DeliveryResult

    /// Returns how every notice for this device ends if no notice can reach it, so that no set is made for it.
    func refusal(of device: Notice.Device?) -> DeliveryResult?
}

extension NoticeDelivery {
    package func refusal(of device: Notice.Device?) -> DeliveryResult? { nil }
}

/// What became of a notice that was handed over.
package enum DeliveryResult: Sendable, Hashable {
    /// It was taken; the other side's own name for it, where it gave one.
    case delivered(receipt: String?)
    /// Not now, perhaps later, not before that long where somebody said so.
    case later(code: String, detail: String, after: Duration?)
    /// Never: this notice is refused for good.
    case refused(code: String, detail: String)
    /// Never on this device: its token is to be forgotten, where it was registered before that moment if one is given.
    case deviceGone(code: String, since: Instant?)
    /// Nothing can be sent at all until somebody mends the configuration.
    case misconfigured(code: String, detail: String)
}
