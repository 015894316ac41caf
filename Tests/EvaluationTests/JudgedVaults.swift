import Fixtures
import Foundation
import KnotDomain
import Recommendation
import StageGraph
import TestSupport

/// The judged vaults beside this repository's sources, ready to run.
enum JudgedVaults {
    static let folder = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "fixtures/vaults").path

    static let stems = FixtureFilesTests.stems
    /// Those of this day, where each takes many runs.
    static let some = TodaysCases.of(stems)

    static func load(_ stem: String) throws -> FixtureCase {
        try FixtureLoader().load("\(folder)/\(stem).json")
    }

    static func ports(_ fixtureCase: FixtureCase) -> StagePorts {
        StagePorts(
            fixtureCase,
            asOf: nil,
            zones: ZoneDirectory(),
            clock: FixtureClock(fixtureCase.fixture.asOf ?? Instant(millisecondsSinceEpoch: 0))
        )
    }

    /// Options as the command gives them, with the time that debug builds of many vaults at once need.
    static func options(_ fixtureCase: FixtureCase, seed: UInt64 = 0) -> RunOptions {
        RunOptions(seed: seed, subject: fixtureCase.fixture.vault.id.text, deadline: .seconds(600))
    }
}
