import Fixtures
import Foundation
import HTTPClient
import JSONDocument
import KnotDomain
import ProviderSimulator
import Recommendation
import Shipped
import StageGraph
import TestSupport
import Testing

/// The judged vaults over HTTP are chosen for about as well as from their files, and every set that differs is explained.
@Suite("The judged vaults over HTTP", .serialized)
struct SimulatedQualityTests {
    /// What a vault gets from its file and over HTTP.
    private struct Pair {
        let fixtureCase: FixtureCase
        let files: [String]
        let http: [String]
        /// Fields that make the sets the same when the services have them; nil where none do.
        let cause: [String]?

        var isSame: Bool { Set(files) == Set(http) }

        func judgments(_ shown: [String]) -> [Judgment] {
            shown.compactMap { fixtureCase.fixture.judgments?[CandidateID($0)] }
        }

        /// One line of the table: what left, what came, and for want of what.
        var line: String {
            func named(_ ids: [String]) -> String {
                ids.sorted().map { id in
                    let own = fixtureCase.fixture.candidates.first { $0.id.text == id }
                    let judgment = fixtureCase.fixture.judgments?[CandidateID(id)]
                    let grade = judgment.map { $0.isForbidden ? "forbidden" : "grade \($0.grade)" } ?? "not judged"
                    return "\(id) (\(own?.provider.rawValue ?? "?") \(own?.type.rawValue ?? "?"), \(grade))"
                }.joined(separator: ", ")
            }
            let (left, came) = (Set(files).subtracting(http), Set(http).subtracting(files))
            let want = cause.map { $0.joined(separator: " and ") } ?? "what nobody knows"
            return "\(fixtureCase.stem): \(named(Array(came))) for \(named(Array(left))), for want of \(want)"
        }
    }

    /// What one shape loses goes together.
    private static let fields: [[String]] = [
        ["description"], ["price_cents", "currency"], ["ships_in_days"], ["starts_at"], ["type"], ["tags"],
        ["merchant"], ["location"], ["rating", "review_count"],
    ]

    /// The fields of so many shapes at most, few before many.
    private static func combinations(upTo most: Int) -> [[String]] {
        var all: [[String]] = []
        var last: [(end: Int, names: [String])] = [(0, [])]
        for _ in 0..<most {
            last = last.flatMap { some in
                (some.end..<fields.count).map { ($0 + 1, some.names + fields[$0]) }
            }
            all += last.map(\.names)
        }
        return all
    }

    /// The shipped pipeline, which waits as long as a busy machine takes: this is about what comes and not about when.
    private static func patientPlan() throws -> Plan {
        var nodes = JSONObject()
        for provider in ["yelp", "ticketmaster", "amazon", "shopify", "firecrawl"] {
            nodes[provider] = ["wait": "60s", "life": "61s"]
        }
        let patience = ExperimentLayer(file: "patience.json", patch: ["deadline": "90s", "nodes": .object(nodes)])
        let definition = try PipelineLoader(source: ShippedPipelines()).load("choice-of-three", experiments: [patience])
        return try Plan(definition, catalog: .knot)
    }

    /// The cause that was reviewed is tried first; only where it does not hold, or a table is recorded, the fewest fields are
    /// sought.
    private static func pair(
        _ found: FixtureCase,
        _ plan: Plan,
        _ client: any HTTPSender,
        reviewed: [String]?
    ) async throws -> Pair {
        let world = try SimulatedWorld(found, sender: client)
        defer { world.simulator.stop() }
        let engine = Engine(threads: 2)
        func shown(_ ports: StagePorts) async -> [String] {
            let options = RunOptions(seed: 0, subject: found.fixture.vault.id.text, deadline: .seconds(600))
            return await engine.report(plan, ports: ports, options: options).shown
        }
        let clock = FixtureClock(found.fixture.asOf ?? Instant(millisecondsSinceEpoch: 0))
        let files = await shown(
            StagePorts(found, asking: plan.askedProviders, asOf: nil, zones: ZoneCache(), clock: clock)
        )
        let http = await shown(world.ports(for: plan))
        var cause: [String]?
        if Set(files) != Set(http) {
            for some in (reviewed.map { [$0] } ?? []) + combinations(upTo: 4) {
                guard Set(await shown(world.ports(for: plan, restoring: Set(some)))) == Set(files) else { continue }
                cause = some
                break
            }
        }
        return Pair(fixtureCase: found, files: files, http: http, cause: cause)
    }

    @Test func `have sets as good as from their files, and each that differs misses what a shape cannot carry`()
        async throws
    {
        let client = PatientSender(sender: try HTTPClient())
        let plan = try Self.patientPlan()
        let file = Repository.root.appendingPathComponent("fixtures/snapshots/simulated-differences.txt")
        let isRecording = ProcessInfo.processInfo.environment["KNOT_RECORD_SNAPSHOTS"] != nil
        let reviewed = try? String(contentsOf: file, encoding: .utf8)
        var pairs: [Pair] = []
        for found in try JudgedFixtures.all() {
            let line = reviewed?.split(separator: "\n").first { $0.hasPrefix(found.stem + ":") }
            let cause = line?.split(separator: ", for want of ").last?.components(separatedBy: " and ")
            pairs.append(try await Self.pair(found, plan, client, reviewed: isRecording ? nil : cause))
        }
        let table = pairs.filter { !$0.isSame }.map(\.line).joined(separator: "\n") + "\n"
        #expect(pairs.allSatisfy { $0.isSame || $0.cause != nil }, "\(table)")
        if isRecording { try table.write(to: file, atomically: true, encoding: .utf8) }
        #expect(
            isRecording || reviewed == table,
            "the differences are others; make transcripts records them, review the diff:\n\(table)"
        )

        // A tenth of a grade, or four cards of the 84, would be too much to lose for want of descriptions, prices and days.
        for (name, most, value) in [
            ("precision", 0.048, { $0.grade >= 2 ? 1 : 0 }), ("grade", 0.1, { Double($0.grade) }),
        ] as [(String, Double, (Judgment) -> Double)] {
            let differences = pairs.map { pair in
                pair.judgments(pair.http).reduce(0) { $0 + value($1) / 3 }
                    - pair.judgments(pair.files).reduce(0) { $0 + value($1) / 3 }
            }
            let count = Double(differences.count)
            let mean = differences.reduce(0, +) / count
            let variance = differences.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / (count - 1)
            let interval = 1.96 * (variance / count).squareRoot()
            #expect(mean >= -most, "\(name): \(mean) ± \(interval)")
            // The loss should also be no more than chance alone makes of such differences: 1.96 standard errors.
            let what = Comment(rawValue: "\(name): \(mean) ± \(interval)")
            if name == "grade" {
                withKnownIssue("Yelp has no descriptions") { #expect(mean >= -interval, what) }
            } else {
                #expect(mean >= -interval, what)
            }
            // However much chance there is, four cards of the 84 are too many.
            #expect(interval <= (name == "grade" ? 0.12 : 0.048), "\(name): \(mean) ± \(interval)")
        }
        func forbidden(_ shown: (Pair) -> [String]) -> Int {
            pairs.map { pair in pair.judgments(shown(pair)).count { $0.isForbidden } }.reduce(0, +)
        }
        #expect(forbidden(\.http) == forbidden(\.files))
        #expect(pairs.allSatisfy { $0.http.count == $0.files.count })
    }
}
