/// The time a command has, as `--deadline` gives it, and what of it one step may take.
struct TimeBudget: Sendable {
    /// What a finished set may take to be stored however little time is left: the run has spent it to the end.
    static let storing = Duration.seconds(2)

    /// Nil where nobody has set a deadline.
    private let whole: Duration?
    /// When all of it is over; nil where each vault of many has the whole of it.
    private let end: ContinuousClock.Instant?

    static let unlimited = TimeBudget(nil)

    init(_ whole: Duration?, isForEach: Bool = false) {
        self.whole = whole
        end = isForEach ? nil : whole.map { .now + $0 }
    }

    /// What is left of the time for a step that takes no longer than a limit of its own.
    func limit(_ own: Duration, atLeast least: Duration = .zero) -> Duration {
        guard let whole else { return own }
        let left = end.map { ContinuousClock.now.duration(to: $0) } ?? whole
        return min(own, max(left, least))
    }

    func until(_ own: Duration, atLeast least: Duration = .zero) -> ContinuousClock.Instant {
        .now + limit(own, atLeast: least)
    }

    /// What is left for the run itself; nil leaves it to the pipeline.
    var forRun: Duration? { whole.map { max(limit($0), .milliseconds(1)) } }
}
