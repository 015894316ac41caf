/// Looks at the queue again and again for as long as somebody watches, and tells whoever has the page open.
package struct OperationsWatch: Sendable {
    private let source: any OverviewSource
    private let page: OperationsPage
    private let interval: Duration
    /// What one look may take.
    private let patience: Duration
    /// How long after the last question somebody still counts as watching.
    private let attention: Duration

    package init(
        _ source: any OverviewSource,
        _ page: OperationsPage,
        interval: Duration = .seconds(3),
        patience: Duration = .seconds(15),
        attention: Duration = .seconds(60)
    ) {
        self.source = source
        self.page = page
        self.interval = interval
        self.patience = patience
        self.attention = attention
    }

    /// Ends when its task is cancelled; `streams` are those who have the page open.
    package func run(streams: @Sendable () -> Int, _ tell: @Sendable ([UInt8]) -> Void) async {
        while !Task.isCancelled {
            let start = ContinuousClock.now
            if streams() > 0 || page.sinceAsked < attention {
                tell(page.take(await source.overview(until: start + patience)))
            }
            // A large queue is looked at less often: no more than a twentieth of the time goes into looking.
            let pause = max(interval, start.duration(to: .now) * 19)
            do { try await ContinuousClock().sleep(for: pause) } catch { return }
        }
    }
}
