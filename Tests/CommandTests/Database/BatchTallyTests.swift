import JSONDocument
import KnotDomain
import Testing
import VaultStore

@testable import knot_recommend

@Suite struct `The tally of a batch` {
    private let vault = VaultID("9aab66c8-6461-4523-93b3-2600f073736b")

    @Test func `a failure of the database stops the batch, a failure of one vault does not`() {
        var tally = BatchTally(total: 3)
        tally.count(.failed(.noVault("v")), of: vault)
        #expect(tally.stoppedBy == nil)
        tally.count(.failed(CommandError(.tryAgain, "out of time", at: "vault x", todo: "y")), of: vault)
        #expect(tally.stoppedBy == nil)
        tally.count(.failed(CommandError(.tryAgain, "lost", at: "database x", todo: "y")), of: vault)
        #expect(tally.stoppedBy?.code == .tryAgain)
    }

    @Test func `memory is bounded while every failure is counted`() {
        var tally = BatchTally(total: 10_000)
        for _ in 0..<10_000 { tally.count(.failed(.noVault("v")), of: vault) }
        let report = tally.report(isStrict: true, isDryRun: false)
        #expect(report.json["failed"] == 10_000)
        #expect(report.json["failures"]?.array?.count == 100)
        #expect(report.exitCode == .badInput)
    }

    @Test func `the bar is full at the end and says how far it is before`() {
        var tally = BatchTally(total: 2)
        #expect(tally.progress.hasPrefix("[....................] 0 of 2"))
        tally.count(.made(outcome: "complete", isStored: true, BatchTimes()), of: vault)
        tally.count(.answered(outcome: "degraded"), of: vault)
        #expect(tally.progress.hasPrefix("[####################] 2 of 2"))
        #expect(tally.summary == "2 of 2 vaults: 1 stored, 1 answered before")
        #expect(tally.report(isStrict: true, isDryRun: false).exitCode == .degradedUnderStrict)
        #expect(tally.report(isStrict: false, isDryRun: false).exitCode == .done)
    }

    @Test(arguments: PostgresError.Code.allCases)
    func `every failure of a database has a code that is no success`(code: PostgresError.Code) {
        #expect(code.exitCode.rawValue >= 64)
    }
}
