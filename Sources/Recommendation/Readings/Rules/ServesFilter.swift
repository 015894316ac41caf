import KnotDomain
import TextEncoding

/// Takes back what one hint would serve and another rules out: no chocolate for whoever gave up sugar.
struct ServesFilter: Sendable {
    private let tables: RuleTables
    private let avoided: [UInt64: [[UInt64]]]

    private static let free = Fingerprint.of("free")
    private static let zero = Fingerprint.of("zero")

    init(_ drafts: [HintDraft], tables: RuleTables) {
        var avoided: [UInt64: [[UInt64]]] = [:]
        for draft in drafts where draft.strength > 0 {
            for stems in draft.avoid.flatMap(Self.alternatives).map(tables.stems) {
                if let first = stems.first { avoided[first, default: []].append(stems) }
            }
        }
        self.avoided = avoided
        self.tables = tables
    }

    /// "gin, rum or vodka" names three things.
    private static func alternatives(_ phrase: String) -> [String] {
        guard phrase.utf8.contains(UInt8(ascii: " ")) else { return [phrase] }
        return phrase.split(separator: ", ").flatMap { $0.split(separator: " or ") }.map(String.init)
    }

    func allowed(_ phrases: [String]) -> [String] {
        if avoided.isEmpty { return phrases }
        return phrases.filter { phrase in
            let stems = tables.stems(of: phrase)
            // "alcohol-free" names what it does without.
            if stems.contains(Self.free) || stems.contains(Self.zero) { return true }
            return !stems.indices.contains { index in
                (avoided[stems[index]] ?? []).contains { stems[index...].starts(with: $0) }
            }
        }
    }
}
