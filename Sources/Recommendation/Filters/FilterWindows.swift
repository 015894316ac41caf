import KnotDomain
package import StageGraph
import TextEncoding
import TextReading

/// Drops what happens when the two cannot go: limits that state days, and weekdays named in a title.
package struct FilterWindows: FilterStage {
    package static let kind = "filter.windows"
    package static let revision = 2
    package static let summary = "Drops events on days and at times that a hint rules out."
    static let brief = InputPort<Brief>("brief")
    static let digest = InputPort<HintDigest>("hints")
    package static let inputs = [brief.declaration, digest.declaration]

    package init() {}

    /// The windows and the clock they are read by.
    package struct Facts: Sendable {
        let windows: [StatedWindow]
        let brief: Brief

        init(_ digest: HintDigest?, _ brief: Brief) {
            let own = (digest?.ranked ?? []).filter { [.partner, .couple].contains($0.reading.subject) }
            windows = own.flatMap { StatedWindow.windows(in: $0.reading.limits) }
            self.brief = brief
        }

        /// Whether a note rules out the day after, by its date: what comes every week has no eve.
        func isEve(_ day: CivilDate) -> Bool {
            guard let noon = LocalDateTime(date: day.adding(days: 1), hour: 12, minute: 0) else { return false }
            return windows.contains { $0.isDated && $0.rulesOut(noon) }
        }
    }

    package func facts(
        for pool: Pool<Offer>,
        _ inputs: StageInputs,
        in context: StageContext
    ) async throws(StageFailure) -> Facts {
        Facts(try inputs.value(Self.digest), try inputs.value(Self.brief))
    }

    package func verdict(on item: Offer, given facts: Facts) throws(StageFailure) -> FilterVerdict {
        if let local = facts.brief.localStart(of: item.candidate) {
            let isRuledOut = facts.windows.contains { $0.rulesOut(local) }
            return isRuledOut ? .drop(reason: "not_free", evidence: "\(local.date)") : .keep
        }
        guard item.candidate.type != .gift, !facts.windows.isEmpty else { return .keep }
        guard TitleDays.mayBeNamed(in: item.words.title.words) else { return .keep }
        let days = TitleDays.weekdays(in: item.candidate.title).sorted { $0.rawValue < $1.rawValue }
        let isRuledOut = days.allSatisfy { day in facts.windows.contains { $0.rulesOut(every: day) } }
        guard !days.isEmpty, isRuledOut else { return .keep }
        return .drop(reason: "not_free", evidence: days.map { "\($0)" }.joined(separator: ", "))
    }
}
