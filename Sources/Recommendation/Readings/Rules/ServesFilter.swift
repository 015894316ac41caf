import KnotDomain

/// Takes back what one hint would serve and another rules out: no chocolate for whoever gave up sugar.
struct ServesFilter: Sendable {
    private let tables: RuleTables
    private let avoided: [String: [[String]]]

    init(_ drafts: [HintDraft], tables: RuleTables) {
        var avoided: [String: [[String]]] = [:]
        for draft in drafts where draft.strength > 0 {
            for stems in draft.avoid.map(tables.stems) {
                if let first = stems.first { avoided[first, default: []].append(stems) }
            }
        }
        self.avoided = avoided
        self.tables = tables
    }

    func allowed(_ phrases: [String]) -> [String] {
        if avoided.isEmpty { return phrases }
        return phrases.filter { phrase in
            let stems = tables.stems(of: phrase)
            // "alcohol-free" names what it does without.
            if stems.contains("free") || stems.contains("zero") { return true }
            return !stems.indices.contains { index in
                (avoided[stems[index]] ?? []).contains { stems[index...].starts(with: $0) }
            }
        }
    }
}
