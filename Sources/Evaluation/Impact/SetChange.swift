import Explanation
package import KnotDomain
package import Recommendation
package import StageGraph

/// What a changed pipeline makes of one recorded run, held against what the base makes of it.
package struct SetChange: Sendable {
    package enum Kind: String, CaseIterable, Sendable {
        case same
        /// The same three in another order.
        case reordered
        /// At least one card is another.
        case changed
        /// One of the two runs came to nothing, and the other one did not.
        case failed
    }

    /// A card that only one of the two sets has, and what the other run did with it.
    package struct Card: Sendable, Equatable {
        package let candidate: CandidateID
        package let title: String
        package let provider: ProviderName
        package let cause: ChangeCause
        /// Whether the recording says nothing of its page, so that nobody knows whether it can be had.
        package let isUnchecked: Bool
    }

    /// The recording, as it was named.
    package let recording: String
    /// The kind of occasion; nil where neither run came so far.
    package let occasion: OccasionTier?
    package let kind: Kind
    /// How each run ended.
    package let outcomes: (base: Outcome, changed: Outcome)
    /// Cards of the base alone, in its order.
    package let left: [Card]
    /// Cards of the changed pipeline alone, in its order.
    package let came: [Card]

    /// Nodes of either run that asked what the recording has no answer to, in the order of their names.
    package let unanswered: [NodeID]

    /// `lookedAt` are the candidates whose pages the recording knows.
    package init(
        of recording: String,
        from base: EngineRun,
        to changed: EngineRun,
        lookedAt: Set<CandidateID>
    ) {
        self.recording = recording
        let unknown = [base, changed].map { $0.report.reasons.filter { $0.code == StageFailure.notRecorded } }
        unanswered = Set(unknown.joined().compactMap(\.node)).sorted()
        outcomes = (base.outcome, changed.outcome)
        let (old, new) = (Self.choices(base), Self.choices(changed))
        let brief = [base, changed].lazy.compactMap { try? $0.result.get().brief }.first
        occasion = brief?.tier
        let ids = (old.map(\.offer.candidate.id), new.map(\.offer.candidate.id))
        let isSame = Set(ids.0) == Set(ids.1)
        switch (base.outcome, changed.outcome) {
        case (.failed, .failed): kind = .same
        case (.failed, _), (_, .failed): kind = .failed
        default: kind = !isSame ? .changed : ids.0 == ids.1 ? .same : .reordered
        }
        guard kind == .changed else {
            (left, came) = ([], [])
            return
        }
        let lives = (RunExplanation(base), RunExplanation(changed))
        func cards(_ choices: [Choice], missing other: [CandidateID], hasLeft: Bool) -> [Card] {
            let asksUnknown = !unknown[hasLeft ? 0 : 1].isEmpty
            return choices.map(\.offer.candidate).filter { !other.contains($0.id) }.map { candidate in
                let cause = ChangeCause(
                    of: candidate.id,
                    base: try? lives.0.life(of: candidate.id),
                    changed: try? lives.1.life(of: candidate.id),
                    hasLeft: hasLeft
                )
                return Card(
                    candidate: candidate.id,
                    title: candidate.title,
                    provider: candidate.provider,
                    cause: cause,
                    isUnchecked: asksUnknown && !lookedAt.contains(candidate.id)
                )
            }
        }
        left = cards(old, missing: ids.1, hasLeft: true)
        came = cards(new, missing: ids.0, hasLeft: false)
    }

    private static func choices(_ run: EngineRun) -> [Choice] {
        if case .success(let set) = run.result { set.choices } else { [] }
    }
}
