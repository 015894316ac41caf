import Explanation
import KnotDomain
import StageGraph

/// Why a card is in one of two sets and not in the other: what was done with it where it is not, or what its score lost.
package struct ChangeCause: Sendable, Hashable {
    package enum Kind: String, CaseIterable, Sendable {
        /// No source of the other run has it.
        case notFound = "not_found"
        case dropped
        case cut
        case merged
        /// Its page says that it cannot be had.
        case lost
        /// Its own score is another.
        case scored
        /// Its score is the same, and others or the rules of a set are not.
        case outranked
    }

    package let kind: Kind
    /// The node that did it, or the scorer whose part of the score changed most.
    package let node: String?
    /// The reason's code, or how the score changed.
    package let detail: String?

    /// Of one kind at one node, whatever the detail.
    package var group: ChangeCause { ChangeCause(kind: kind, node: node, detail: kind == .scored ? nil : detail) }

    package init(kind: Kind, node: String?, detail: String?) {
        self.kind = kind
        self.node = node
        self.detail = detail
    }

    init(of candidate: CandidateID, base: CandidateTimeline?, changed: CandidateTimeline?, hasLeft: Bool) {
        guard let base, let changed else {
            self.init(kind: .notFound, node: nil, detail: nil)
            return
        }
        for step in (hasLeft ? changed : base).steps.reversed() {
            let node = step.node.text
            switch step.event {
            case .dropped(let reason, _): self.init(kind: .dropped, node: node, detail: reason)
            case .cut(let reason, _): self.init(kind: .cut, node: node, detail: reason)
            case .mergedInto: self.init(kind: .merged, node: node, detail: nil)
            case .lost(let reason, _): self.init(kind: .lost, node: node, detail: reason)
            default: continue
            }
            return
        }
        self.init(scores: (Scores(base), Scores(changed)), hasLeft: hasLeft)
    }

    /// What a run made of a candidate's score.
    private struct Scores {
        var parts: [String: Double] = [:]
        var total: Double?

        init(_ life: CandidateTimeline) {
            for step in life.steps {
                switch step.event {
                case .scored(let summand, _), .unscored(let summand): parts[summand.name] = summand.part
                case .totalled(let score, _, _): total = score
                default: break
                }
            }
        }
    }

    /// Smaller differences are those of rounding.
    private static let least = 1e-9

    private init(scores: (base: Scores, changed: Scores), hasLeft: Bool) {
        let names = Set(scores.base.parts.keys).union(scores.changed.parts.keys).sorted()
        let shifts = names.map { name in
            (name: name, by: (scores.changed.parts[name] ?? 0) - (scores.base.parts[name] ?? 0))
        }
        // What made it leave took something away, what brought it gave something.
        let strongest = shifts.max { hasLeft ? $0.by > $1.by : $0.by < $1.by }
        // A part that gained is no cause where the whole has lost: others have lost more.
        guard let strongest, hasLeft ? strongest.by < -Self.least : strongest.by > Self.least,
            let before = scores.base.total, let after = scores.changed.total,
            hasLeft ? after < before - Self.least : after > before + Self.least
        else {
            self.init(kind: .outranked, node: nil, detail: nil)
            return
        }
        let detail = "\(FigureText.fixed(before, digits: 3)) to \(FigureText.fixed(after, digits: 3))"
        self.init(kind: .scored, node: strongest.name, detail: detail)
    }
}
