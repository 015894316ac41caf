import Catalogue
import JSONDocument
import KnotDomain
import VectorSearch

/// Searches a catalogue on one thread and prints each search with what it asked, what it found for each phrase, and what
/// it cost, so that other programs can be asked the same over the same offers.
enum QuestionsBench {
    private static let phrases = 24
    private static let depth = 200

    static func run(folder: String, vaults: Int) throws {
        let snapshot = try CatalogueSnapshot(folder: folder)
        var source = GeneratedOffers(seed: 7)
        for vault in 0..<vaults {
            let asked = source.phrases(phrases)
            let limits = source.limits()
            var query = SnapshotQuery(asked)
            query.filter = limits.filter
            query.depth = depth
            query.limit = depth
            // Once before it counts: pages and caches are warm for every program.
            let ranking = try snapshot.rankings(query)
            let whole = try cost { _ = try snapshot.search(query) }
            var words = query
            words.phrases = asked.map { CatalogueIndex.Phrase(text: $0.text, vector: nil) }
            let byWords = try cost { _ = try snapshot.search(words) }
            var meaning = query
            meaning.phrases = asked.map { CatalogueIndex.Phrase(text: "", vector: $0.vector) }
            let byMeaning = try cost { _ = try snapshot.search(meaning) }
            CatalogueBench.report([
                "vault": .integer(vault), "low": .integer(limits.low), "high": .integer(limits.high),
                "town": .string(limits.town.city ?? ""), "days": .integer(limits.mostShippingDays),
                "cpu_ms": .number(whole), "words_cpu_ms": .number(byWords), "meaning_cpu_ms": .number(byMeaning),
                "phrases": .array(zip(asked, ranking).map { phrase, found in Self.json(phrase, found) }),
            ])
        }
    }

    private static func json(_ phrase: CatalogueIndex.Phrase, _ found: PhraseRanking) -> JSONValue {
        let vector = phrase.vector.map { Array($0.values.prefix(GeneratedOffers.dimension)) } ?? []
        return [
            "text": .string(phrase.text), "vector": .array(vector.map { .number(Double($0)) }),
            "near": .array(found.near.map { .integer(Int($0.ordinal)) }),
            "words": .array(found.words.map { .integer(Int($0.ordinal)) }),
        ]
    }

    /// Processor time in milliseconds, the median of three.
    private static func cost(_ body: () throws -> Void) throws -> Double {
        var times: [Double] = []
        for _ in 0..<3 {
            let start = CatalogueBench.cpuTime()
            try body()
            times.append((CatalogueBench.cpuTime() - start) * 1_000)
        }
        return CatalogueBench.median(times)
    }
}
