/// Looks at the queue again and again, for as long as it lives, and tells whoever has the page open.
package struct OperationsWatch: Sendable {
    private let source: any OverviewSource
    private let page: OperationsPage
    private let interval: Duration
    /// What one look may take.
    private let patience: Duration

    package init(
        _ source: any OverviewSource,
        _ page: OperationsPage,
        interval: Duration = .seconds(3),
        patience: Duration = .seconds(15)
    ) {
        self.source = source
        self.page = page
        self.interval = interval
        self.patience = patience
    }

    /// Ends when its task is cancelled.
    package func run(_ tell: @Sendable ([UInt8]) -> Void) async {
        while !Task.isCancelled {
            let start = ContinuousClock.now
            tell(page.take(await source.overview(until: start + patience)))
            // A large queue is looked at less often: no more than a twentieth of the time goes into looking.
            let pause = max(interval, start.duration(to: .now) * 19)
            do { try await ContinuousClock().sleep(for: pause) } catch { return }
        }
    }
}
