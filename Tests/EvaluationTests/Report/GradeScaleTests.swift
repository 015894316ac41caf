import Testing

@testable import Evaluation

@Suite struct GradeScaleTests {
    private static func scale(_ means: [Double?]) -> GradeScale {
        GradeScale(covering: means.map { Estimate([$0, $0], Bootstrap(topics: 2, seed: 0, draws: 10)) })
    }

    @Test func `is that of all grades where nothing is known`() {
        for scale in [Self.scale([]), Self.scale([nil])] {
            #expect(scale.lowest == 0 && scale.highest == 3)
            #expect(scale.lines == [0, 0.5, 1, 1.5, 2, 2.5, 3])
        }
    }

    @Test(arguments: [
        ([2.44, 2.69], 2.25, 2.75), ([0.0, 0.1], 0, 0.5), ([2.9, 3.0], 2.5, 3), ([0.2, 2.9], 0, 3),
        ([1.5, 1.5], 1, 1.5),
    ])
    func `covers every value in quarters, half a grade at least, and keeps within the grades`(
        means: [Double],
        lowest: Double,
        highest: Double
    ) {
        let scale = Self.scale(means)
        #expect(scale.lowest == lowest && scale.highest == highest)
        for mean in means { #expect((0...1).contains(scale.place(of: mean))) }
        #expect(scale.lines.count <= 7 && scale.lines.first == lowest && scale.lines.last == highest)
    }
}
