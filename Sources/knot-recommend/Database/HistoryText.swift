import JSONDocument
import KnotDomain
import VaultStore

/// One stored set as a few lines.
enum HistoryText {
    /// When a set was stored, on the clocks of the vault's person.
    static func moment(_ set: StoredSetSummary) -> String {
        DateText.moment(set.createdAt, in: set.timeZone.flatMap { zones.rules(named: $0) } ?? .utc)
    }

    private static let zones = ZoneCache()

    static func lines(_ set: StoredSetSummary, width: Int) -> [String] {
        var head = "\(moment(set)), \(CardView.words(set.tier))"
        if let day = set.occurrence { head += ", \(DateText.day(day.description))" }
        if set.outcome != "complete" { head += ", \(set.outcome)" }
        if set.round > 0 { head += ", round \(set.round)" }
        if set.supersededBy != nil { head += ", replaced since" }
        var lines = TextLayout.wrapped(head, to: max(40, width))
        lines += ["  run \(set.runID), \(TerminalText.safe(set.pipelineName, limit: 60))"]
        for choice in set.choices.array ?? [] {
            let price = choice["price_cents"]?.int.flatMap { cents in
                choice["currency"]?.string.flatMap { Currency($0) }.map { Money(cents, $0).description }
            }
            let title = TerminalText.safe(choice["title"]?.string ?? "", limit: 600)
            let position = choice["position"]?.int.map { "\($0). " } ?? "   "
            let room = width - 4 - DisplayWidth.of(position) - DisplayWidth.of(price ?? "")
            lines.append(
                "  \(position)" + TextLayout.padded(TextLayout.truncated(title, to: room), to: room) + " "
                    + (price ?? "")
            )
        }
        return lines
    }
}
