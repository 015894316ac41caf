/// How fast a service is asked, by its rate and by what it answered so far: one value for all calls to it.
///
/// A value without a clock: every method is given the time, in microseconds of any clock that only one value is given.
package struct ServicePace: Sendable, Equatable {
    /// When a call may be sent.
    package enum Turn: Sendable, Equatable {
        /// After so long; its moment can be given back.
        case after(Duration, moment: Int64)
        /// Its rate leaves no room in time.
        case late
        /// It asked too often for fewer calls, and is left alone for so long.
        case alone(for: Duration)
    }

    /// When the next call would be due if calls came steadily.
    package internal(set) var due: Int64 = 0
    /// Until when it is left alone.
    package internal(set) var aloneUntil: Int64 = 0
    /// Answers that asked for fewer calls, since the last that stood.
    package internal(set) var throttledInRow = 0
    package var budget: RetryBudget

    static let pause = Duration.seconds(60)

    package init(budget: RetryBudget = RetryBudget()) {
        self.budget = budget
    }

    /// Takes the next free moment, unless the wait for it would be longer than `patience`.
    package mutating func reserve(_ rate: RateLimit?, at now: Int64, patience: Duration) -> Turn {
        guard now >= aloneUntil else { return .alone(for: .microseconds(aloneUntil - now)) }
        guard let rate else { return .after(.zero, moment: now) }
        let moment = max(due, now)
        let wait = Duration.microseconds(max(0, moment - now - rate.lead))
        guard wait <= patience else { return .late }
        due = moment + rate.interval
        return .after(wait, moment: moment)
    }

    /// Gives back a moment that was taken and not used, unless another call has taken one since.
    package mutating func giveBack(_ moment: Int64, of rate: RateLimit?) {
        if let rate, due == moment + rate.interval { due = moment }
    }

    /// Notes an answer that stands.
    package mutating func succeed() {
        budget.deposit()
        throttledInRow = 0
    }

    /// Notes an answer that asks for fewer calls; after so many in a row the service is left alone.
    ///
    /// Later answers of this kind prolong the row until one succeeds.
    package mutating func slow(at now: Int64, most: Int) {
        throttledInRow += 1
        if throttledInRow >= most { aloneUntil = now + Int64(Self.pause / .microseconds(1)) }
    }
}
