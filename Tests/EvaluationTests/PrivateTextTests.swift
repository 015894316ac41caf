import Fixtures
import Foundation
import JSONDocument
import KnotDomain
import Recommendation
import Shipped
import StageGraph
import Synchronization
import TestSupport
import Testing

/// What leaves the machine says nothing of people, health or addresses, for every judged vault and every reader.
@Suite("A provider's query", .onOwnThreads) struct QueryPrivacyTests {
    private static let engine = Engine(threads: 2)

    /// Keeps what it is asked for, and answers as the fixture does.
    private final class Listener: CandidateProvider {
        private let other: any CandidateProvider
        private let heard = Mutex<[ProviderQuery]>([])

        init(_ other: any CandidateProvider) { self.other = other }

        var capabilities: [ProviderCapability] { other.capabilities }

        var queries: [ProviderQuery] { heard.withLock { $0 } }

        func candidates(for query: ProviderQuery) async throws(StageFailure) -> [Candidate] {
            heard.withLock { $0.append(query) }
            return try await other.candidates(for: query)
        }
    }

    static func queries(_ fixtureCase: FixtureCase) async throws -> [ProviderQuery] {
        var ports = JudgedVaults.ports(fixtureCase)
        let listeners = ports.providers.mapValues { Listener($0) }
        ports.providers = listeners
        _ = await engine.report(
            try ShippedPipelines.plan(ShippedPipelines.standard),
            ports: ports,
            options: RunOptions(subject: "test", deadline: .seconds(600))
        )
        return listeners.values.flatMap(\.queries)
    }

    private static func words(_ text: String) -> [String] {
        text.lowercased().split { !$0.isLetter && !$0.isNumber }.map(String.init)
    }

    /// Words of a note that are written as names, or that no catalogue knows: the partner's and relatives' among them.
    private static func names(in vault: Vault) -> Set<String> {
        var names = Set(words(vault.partnerName))
        for hint in vault.hints {
            var opens = true
            for word in hint.text.split(whereSeparator: \.isWhitespace) {
                let plain = word.trimmingCharacters(in: .punctuationCharacters)
                if !opens, let first = plain.first, first.isUppercase, plain.dropFirst().contains(where: \.isLowercase)
                {
                    names.formUnion(words(plain).prefix(1).filter { !commonWords.contains($0) })
                }
                opens = word.last.map { ".!?:;—–\"“".contains($0) } ?? false
            }
        }
        return names
    }

    /// Words that some note or listing of any vault writes without a capital.
    private static let commonWords: Set<String> = {
        var found: Set<String> = []
        for file in ReplayLawTests.files {
            guard let fixture = try? FixtureLoader(readings: .rules).load(file).fixture else { continue }
            let texts =
                fixture.vault.hints.map(\.text) + fixture.candidates.flatMap { [$0.title, $0.description ?? ""] }
            for word in texts.joined(separator: " ").split(whereSeparator: { !$0.isLetter }) {
                if word.first?.isLowercase == true { found.insert(String(word)) }
            }
        }
        return found.subtracting(lowercase)
    }()

    /// Names that the lower-cased notes of these vaults hold.
    private static let lowercase: Set<String> = ["roz", "kayla", "isaiah", "dot", "zora", "mahalia", "calderon"]

    /// Written with a capital, and the name of nobody.
    private static let known = Set(
        """
        monday tuesday wednesday thursday friday saturday sunday january february march april may june july august \
        september october november december christmas easter valentine valentines mother mothers father halloween \
        thanksgiving english french german italian spanish portuguese polish dutch swedish norwegian danish finnish \
        russian greek turkish arabic hebrew persian indian chinese japanese korean thai vietnamese mexican brazilian \
        american canadian african ethiopian moroccan irish scottish welsh british swiss austrian hungarian czech \
        romanian lebanese peruvian cuban caribbean asian european bengali punjabi tamil malay nordic scandinavian \
        polaroid scrabble lego kindle vinyl dvd cd tv dj diy
        """.split(whereSeparator: \.isWhitespace).map(String.init)
    )

    private static let health = [
        "allerg", "asthma", "diabet", "insulin", "surgery", "sober", "rehab", "pregnan", "postpartum", "migraine",
        "arthrit", "reflux", "cholesterol", "anxi", "depress", "therap", "grief", "cancer", "knee", "tendon", "doctor",
        "medic", "gluten", "wheez", "blood", "wrist brace", "insomnia",
    ]

    @Test(arguments: ReplayLawTests.some) func `carries no name, no health and no exact place`(
        file: String
    ) async throws {
        for readings in [ReadingsChoice.rules, .beside] {
            let fixtureCase = try FixtureLoader(readings: readings).load(file)
            let vault = fixtureCase.fixture.vault
            let queries = try await Self.queries(fixtureCase)
            #expect(queries.count == 6 || queries.count == 5)
            let names = Self.names(in: vault).union(Self.lowercase)
            for phrase in Set(queries.flatMap(\.phrases)) {
                let words = Set(Self.words(phrase))
                let named = words.intersection(names).subtracting(Self.known)
                #expect(named.isEmpty, "\(readings): \(phrase)")
                #expect(!Self.health.contains { phrase.contains($0) }, "\(readings): \(phrase)")
                #expect(!phrase.contains { $0.isNumber }, "\(readings): \(phrase)")
            }
        }
    }
}

/// A trace holds ids, numbers and reasons, and none of the texts that a vault's person wrote or that were made of them.
@Suite("A trace", .onOwnThreads) struct TracePrivacyTests {
    private static let engine = Engine(threads: 2)

    private static func strings(_ value: JSONValue) -> [String] {
        if let text = value.string { return [text] }
        if let items = value.array { return items.flatMap(strings) }
        return value.object?.members.flatMap { strings($0.value) } ?? []
    }

    private static func isKnown(_ phrase: String) -> Bool { Interest(phrase).known != nil }

    /// Everything private of a vault and its reading, in small letters.
    private static func phrases(_ run: EngineRun, _ vault: Vault) -> [String] {
        guard let read = run.report.output(of: "readings", as: HintUnderstanding.self) else { return [] }
        let own = read.hints.values.flatMap { $0.serves + $0.avoid + $0.limits }
        let texts = vault.hints.map(\.text) + vault.history.map(\.title) + own + read.serves + read.avoid
        let named = (vault.likes + vault.dislikes).filter { $0.known == nil }.map(\.name)
        return (texts + named + [vault.partnerName]).map { $0.lowercased() }
    }

    @Test(arguments: ReplayLawTests.some, ShippedPipelines.names) func `holds no phrase of the vault unless asked to`(
        file: String,
        pipeline: String
    ) async throws {
        for readings in file.contains("apart") ? [ReadingsChoice.rules] : [.rules, .beside] {
            let fixtureCase = try FixtureLoader(readings: readings).load(file)
            let plan = try ShippedPipelines.plan(pipeline)
            let run = await Self.engine.report(
                plan,
                ports: JudgedVaults.ports(fixtureCase),
                options: RunOptions(subject: "test", deadline: .seconds(600))
            )
            let trace = run.report.trace.ndjson(redaction: .vaultTexts)
            let lines = try trace.split(separator: 0x0A).map { try JSONParser.parse(Array($0)) }
            let written = Set(lines.dropFirst().flatMap(Self.strings).map { $0.lowercased() })
            let names = Set(
                lines.flatMap { line in ["event", "node", "kind", "role"].compactMap { line[$0]?.string } }
            )
            let phrases = Self.phrases(run, fixtureCase.fixture.vault)
            #expect(!phrases.isEmpty || pipeline == "classic")
            for phrase in phrases {
                let found = written.subtracting(names).filter { text in
                    !Self.isKnown(phrase) && (phrase.contains(" ") ? text.contains(phrase) : text == phrase)
                }
                #expect(found.isEmpty, "\(readings): \(phrase) in \(found)")
            }
            guard pipeline == ShippedPipelines.standard else { continue }
            let whole = String(decoding: run.report.trace.ndjson(), as: UTF8.self)
            #expect(whole.contains("\"theme\""))
        }
    }
}
