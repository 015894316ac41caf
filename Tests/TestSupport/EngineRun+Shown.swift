package import JSONDocument
import KnotDomain
package import Recommendation
package import StageGraph

extension EngineRun {
    /// The ids of the shown cards, in their order; none for a run that failed.
    package var shown: [String] {
        guard case .success(let choices) = result else { return [] }
        return choices.choices.map(\.offer.candidate.id.text)
    }

    /// The shown cards by id.
    package var cards: [String: Choice] {
        guard case .success(let choices) = result else { return [:] }
        return Dictionary(choices.choices.map { ($0.offer.candidate.id.text, $0) }) { first, _ in first }
    }

    /// The ids of everything the combiner ranked, best first.
    package var ranked: [String] {
        report.output(of: "combine", as: Ranking<Offer>.self)?.entries.map(\.item.candidate.id.text) ?? []
    }

    /// The codes of the run's reasons.
    package var codes: Set<String> { Set(report.reasons.map(\.code)) }

    /// How one candidate's way through the run ended.
    package func end(of candidate: String) -> ItemState? { report.ledger[ItemID(candidate)]?.state }

    /// The rule a candidate was dropped by.
    package func dropReason(of candidate: String) -> String? { removal(of: candidate)?.reason }

    /// The rule a candidate was dropped by, with its evidence.
    package func removal(of candidate: String) -> Removal? {
        for line in report.trace.events(for: ItemID(candidate)) {
            if case .item(.dropped(let removal)) = line.entry { return removal }
        }
        return nil
    }

    /// Why a candidate was lost when it was looked at.
    package func lossReason(of candidate: String) -> String? {
        for line in report.trace.events(for: ItemID(candidate)) {
            if case .item(.lost(let removal)) = line.entry { return removal.reason }
        }
        return nil
    }

    /// The result as its contract writes it; nil for a run that failed.
    package func document() -> JSONValue? {
        let identity = RunIdentity(
            kind: .fixture,
            vault: VaultID("vault"),
            milestone: nil,
            occurrence: nil,
            tier: .justBecause,
            request: "test"
        )
        return ChoiceDocument(self)?.json(identity: identity)
    }

    /// The same document's canonical text.
    package func text() -> String? { document().map { JSONWriter.text($0, style: .canonical) } }
}
