import FoundationEssentials
package import KnotDomain
package import Recommendation

/// What a caller wants: a set for one vault, for an occasion, at a moment, under a name.
package struct ChoiceRequest: Sendable, Hashable {
    package let vault: VaultID
    /// Nil: what came with the vault, else just because.
    package var occasion: OccasionChoice?
    /// Nil: the moment that came with the vault, else now.
    package var asOf: Instant?
    /// The caller's own id of the request, under which the first set is had again; nil: a fresh one.
    package var name: String?
    /// The stored set that this one takes the place of, and what was turned down of it.
    package var reroll: Reroll?
    /// The reminder that it is made for, by whoever holds its job.
    package var reminder: Reminder?
    /// How many cards are wanted: those of the set, and as many more that are not stored.
    package var cards = RunRequest.ofOneSet
    /// Whether nothing is to be stored.
    package var isDryRun = false

    /// A reminder's one set: it is stored only while its job is held and the vault has had no other set since.
    package struct Reminder: Sendable, Hashable {
        /// `m:{milestone}:{occurrence}:{days_before}`.
        package let request: String
        package let job: String
        /// Proof that the job is held.
        package let token: String
        /// The digest of the vault's sets of late, read before the vault was.
        package let history: String

        package init(request: String, job: String, token: String, history: String) {
            self.request = request
            self.job = job
            self.token = token
            self.history = history
        }
    }

    /// Another set in the place of one that was turned down.
    package struct Reroll: Sendable, Hashable {
        /// The run of the earlier set; nil where that is stored nowhere.
        package let run: String?
        package let refresh: RefreshRequest

        package init(run: String?, refresh: RefreshRequest) {
            self.run = run
            self.refresh = refresh
        }
    }

    package init(vault: VaultID, occasion: OccasionChoice? = nil, asOf: Instant? = nil, name: String? = nil) {
        self.vault = vault
        self.occasion = occasion
        self.asOf = asOf
        self.name = name
    }
}

/// The time that a caller gives, and what of it one step may take.
package struct TimeBudget: Sendable {
    /// What a finished set may take to be stored however little time is left: the run has spent it to the end.
    package static let storing = Duration.seconds(2)

    /// Nil where there is no deadline.
    private let whole: Duration?
    /// When all of it is over; nil where each of many requests has the whole of it.
    private let end: ContinuousClock.Instant?

    package static let unlimited = TimeBudget(nil)

    package init(_ whole: Duration?, isForEach: Bool = false) {
        self.whole = whole
        end = isForEach ? nil : whole.map { .now + $0 }
    }

    /// What is left of the time for a step that takes no longer than a limit of its own.
    package func limit(_ own: Duration, atLeast least: Duration = .zero) -> Duration {
        guard let whole else { return own }
        let left = end.map { ContinuousClock.now.duration(to: $0) } ?? whole
        return min(own, max(left, least))
    }

    package func until(_ own: Duration, atLeast least: Duration = .zero) -> ContinuousClock.Instant {
        .now + limit(own, atLeast: least)
    }

    /// What is left for the run itself; nil leaves it to the pipeline.
    package var forRun: Duration? { whole.map { max(limit($0), .milliseconds(1)) } }
}

/// The machine's own clock: used only where neither the request nor the vault says what time it is.
package struct MachineClock: WallClock {
    package init() {}

    package func now() -> Instant {
        Instant(millisecondsSinceEpoch: Int64((Date().timeIntervalSince1970 * 1_000).rounded()))
    }
}
