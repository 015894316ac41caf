import Fixtures
import Foundation
import KnotDomain
import Recommendation
import Shipped
import StageGraph
import TestSupport
import Testing

@testable import Evaluation

/// The rules reader on vaults it was not made with, by words alone.
@Suite("The vaults apart", .onOwnThreads)
struct VaultsApartTests {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "fixtures/vaults-apart").path

    private static func cases() throws -> [FixtureCase] {
        let loader = FixtureLoader(readings: .rules)
        return try FixtureLoader.files(in: folder).map { try loader.load($0) }
    }

    @Test func `keep what is asked of the rules`() throws {
        let judge = Judge(engine: Engine(threads: 2), zones: ZoneDirectory())
        let figures = try judge.figures(of: ShippedPipelines.plan("choice-of-three"), label: "ours", over: Self.cases())
        #expect(figures.vaults.count == 18 && figures.shownCount == 54)
        #expect(Double(figures.forbiddenCount) <= 0.08 * Double(figures.shownCount))
        #expect((figures.precision ?? 0) >= 0.65)
        #expect((figures.meanGrade ?? 0) >= 1.75)
    }

    @Test func `are beyond the classic pipeline`() throws {
        let judge = Judge(engine: Engine(threads: 2), zones: ZoneDirectory())
        let classic = try judge.figures(of: ShippedPipelines.plan("classic"), label: "classic", over: Self.cases())
        #expect(Double(classic.forbiddenCount) > 0.08 * Double(classic.shownCount))
        #expect((classic.meanGrade ?? 0) < 1.75)
    }
}
