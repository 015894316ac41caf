import Fixtures
import FoundationEssentials
import JSONDocument
import KnotDomain
import TextEncoding

#if canImport(Glibc)
import Glibc
#endif

/// `knot-bench words COUNTS`: makes the table of word weights of public counts and of listings no judgment here is about.
///
/// COUNTS has a word and its count on each line. The table in the program was made of `frequency_dictionary_en_82_765.txt`
/// of symspellpy 6.10.1 on PyPI (MIT licence, Wolf Garbe and mmb L; Google Books counts of the words in SCOWL).
struct WordWeightsBench {
    private let counts: String
    private let fixtures: String
    private let output: String

    /// Words that a listing has beside grammar.
    private static let listingWords = 40.0
    /// ln 50: rarer than one listing in fifty is rare, and how much rarer says nothing more.
    private static let rarest = 4.0
    private static let commonest = 0.3
    private static let usualLength = 60.0

    init(_ arguments: ArraySlice<String>) throws {
        let usage = "knot-bench words COUNTS [fixtures/vaults-apart] [Sources/TextEncoding/Ranking/weights.json]"
        guard let counts = arguments.first, arguments.count <= 3 else { throw BenchUsage(usage) }
        self.counts = counts
        let more = Array(arguments.dropFirst())
        fixtures = more.first ?? "fixtures/vaults-apart"
        output = more.dropFirst().first ?? "Sources/TextEncoding/Ranking/weights.json"
    }

    func run() throws {
        var shares = try expected()
        for (stem, share) in try found() { shares[stem, default: 0] += share }
        var groups: [Int: [String]] = [:]
        for (stem, sum) in shares {
            // The mean of both shares; -ln of a share, in tenths.
            let weight = max(Self.commonest, -log(min(1, sum / 2)))
            if weight < Self.rarest - 0.05 { groups[Int((weight * 10).rounded()), default: []].append(stem) }
        }
        let stems = groups.sorted { $0.key < $1.key }.map { tenths, stems in
            JSONObject.Member(
                name: "\(tenths / 10).\(tenths % 10)",
                value: .string(stems.sorted().joined(separator: " "))
            )
        }
        let table: JSONValue = [
            "format": .string(WordWeights.format),
            "source": """
            symspellpy 6.10.1 (MIT licence), frequency_dictionary_en_82_765.txt, and the listings of \
            fixtures/vaults-apart; made by knot-bench words
            """, "usual_length": .number(Self.usualLength), "rarest": .number(Self.rarest),
            "stems": .object(JSONObject(stems)),
        ]
        try Data(JSONWriter.bytes(table, style: .pretty) + [0x0A]).write(to: URL(filePath: output), options: .atomic)
        print("\(groups.values.reduce(0) { $0 + $1.count }) stems in \(output)")
    }

    /// How likely a listing is to hold each stem, by how common its words are in English.
    private func expected() throws -> [String: Double] {
        var sums: [String: Double] = [:]
        var total = 0.0
        for line in try String(contentsOf: URL(filePath: counts), encoding: .utf8).split(separator: "\n") {
            let parts = line.split(separator: " ")
            guard parts.count == 2, let count = Double(parts[1].filter(\.isNumber)) else { continue }
            total += count
            let tokens = Tokenizer.tokens(of: String(parts[0]), limit: 2)
            if tokens.count == 1, !tokens[0].isStopWord { sums[tokens[0].stem, default: 0] += count }
        }
        return sums.mapValues { 1 - exp(-Self.listingWords * $0 / total) }
    }

    /// The share of the listings that hold each stem.
    private func found() throws -> [String: Double] {
        var holders: [String: Double] = [:]
        var count = 0.0
        let loader = FixtureLoader()
        for file in try FixtureLoader.files(in: fixtures) {
            for candidate in try loader.load(file).fixture.candidates {
                count += 1
                let texts = [candidate.title, candidate.description ?? ""] + candidate.tags
                let tokens = texts.flatMap { Tokenizer.tokens(of: $0) }.filter { !$0.isStopWord }
                for stem in Set(tokens.map(\.stem)) { holders[stem, default: 0] += 1 }
            }
        }
        return holders.mapValues { $0 / count }
    }
}
