import Composition
import Console
import JSONDocument
import KnotDomain
import PostgresClient
import Testing
import VaultStore

@testable import ChoiceService
@testable import UserVerbs

@Suite struct `The summary of a batch` {
    private static let vault = "9aab66c8-6461-4523-93b3-2600f073736b"

    private static func ending(
        _ outcome: String,
        of vault: String = vault,
        isEarlier: Bool = false
    ) -> ChoiceEnding {
        ChoiceEnding(
            ChoiceRequest(vault: VaultID(vault)),
            .success(.init(outcome: outcome, text: "", isStored: true, isEarlier: isEarlier, times: BatchTimes()))
        )
    }

    private static func ending(_ error: CommandError, of vault: String = vault) -> ChoiceEnding {
        ChoiceEnding(ChoiceRequest(vault: VaultID(vault)), .failure(.port(error)))
    }

    @Test func `a failure of the database is one of every vault, a failure of one vault is not`() {
        #expect(!CommandError.noVault("v").isOfEveryRequest)
        #expect(!CommandError(.tryAgain, "out of time", at: "vault x", todo: "y").isOfEveryRequest)
        #expect(CommandError(.tryAgain, "lost", at: "database x", todo: "y").isOfEveryRequest)
    }

    @Test func `memory is bounded while every failure is counted`() {
        var summary = BatchSummary(total: 10_000)
        for _ in 0..<10_001 { summary.count(Self.ending(.noVault("v"))) }
        let report = summary.report(isStrict: true, isDryRun: false)
        #expect(report.json["failed"] == 10_001)
        #expect(report.json["failures"]?.array?.count == 10_000)
        #expect(report.exitCode == .notFound)
    }

    /// What the vaults of one batch came to, in the order of their ends, and the code that says so.
    struct Batch: Sendable, CustomTestStringConvertible {
        let endings: [String]
        var isStrict = false
        let code: ExitCode

        var testDescription: String { endings.joined(separator: ", ") + (isStrict ? ", strict" : "") }
    }

    @Test(arguments: [
        Batch(endings: ["complete", "degraded"], code: .done),
        Batch(endings: ["complete", "degraded"], isStrict: true, code: .degradedUnderStrict),
        Batch(endings: ["complete", "short", "degraded"], code: .short),
        Batch(endings: ["short", "degraded"], isStrict: true, code: .short),
        Batch(endings: ["short", "!not_found", "complete"], code: .notFound),
        Batch(endings: ["complete", "!bad_input", "!internal"], code: .badInput), Batch(endings: [], code: .done),
    ])
    func `the exit code says the worst there was, and every vault that is not stored whole is named`(
        batch: Batch
    ) throws {
        for order in [Array(batch.endings.indices), batch.endings.indices.reversed()] {
            var summary = BatchSummary(total: batch.endings.count)
            for place in order {
                let id = "9aab66c8-6461-4523-93b3-00000000000\(place)"
                let ending = batch.endings[place]
                if ending.hasPrefix("!"), let code = ExitCode.allCases.first(where: { $0.name == ending.dropFirst() }) {
                    summary.count(Self.ending(CommandError(code, "broken", at: "x", todo: "y"), of: id))
                } else {
                    summary.count(Self.ending(ending, of: id))
                }
            }
            let report = summary.report(isStrict: batch.isStrict, isDryRun: false, isVerbose: true)
            #expect(report.exitCode == batch.code)
            let names = { (kind: (String) -> Bool) in
                batch.endings.indices.filter { kind(batch.endings[$0]) }.map {
                    "9aab66c8-6461-4523-93b3-00000000000\($0)"
                }
            }
            let short = names { $0 == "short" }
            let failed = names { $0.hasPrefix("!") }
            #expect(report.json["short_vaults"]?.array?.compactMap(\.string) == short)
            #expect(report.json["failures"]?.array?.compactMap { $0["vault_id"]?.string } == failed)
            for id in short + failed { #expect(report.lines.contains { $0.contains(id) }) }
            let brief = summary.report(isStrict: false, isDryRun: false).lines
            for id in short { #expect(!brief.contains { $0.contains(id) }) }
        }
    }

    @Test func `the bar is full at the end and says how far it is before`() {
        var summary = BatchSummary(total: 2)
        #expect(summary.progress.hasPrefix("[....................] 0 of 2"))
        summary.count(Self.ending("complete"))
        summary.count(Self.ending("degraded", isEarlier: true))
        #expect(summary.progress.hasPrefix("[####################] 2 of 2"))
        #expect(summary.summary == "2 of 2 vaults: 1 stored, 1 answered before")
        #expect(summary.report(isStrict: true, isDryRun: false).exitCode == .degradedUnderStrict)
        #expect(summary.report(isStrict: false, isDryRun: false).exitCode == .done)
    }

    @Test(arguments: PostgresError.Code.allCases)
    func `every failure of a database has a code that is no success`(code: PostgresError.Code) {
        #expect(code.exitCode.rawValue >= 64)
    }
}
