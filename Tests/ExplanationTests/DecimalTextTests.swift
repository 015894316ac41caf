import Testing

@testable import Explanation

/// Numbers as a person would write them, without a system formatter.
@Suite struct DecimalTextTests {
    @Test(arguments: [
        (0.5, 4, "0.5000"), (-0.00001, 4, "0.0000"), (-1.25, 1, "-1.3"), (12, 0, "12"), (.nan, 2, "nan"),
        (.infinity, 2, "inf"), (0.99999, 2, "1.00"),
    ])
    func `writes fixed places`(value: Double, places: Int, text: String) {
        #expect(DecimalText.fixed(value, places) == text)
    }

    @Test(arguments: [(0.123456789, 6, 0.123457), (1_234.56789, 6, 1_234.57), (0, 6, 0), (-0.1, 3, -0.1)])
    func `keeps significant digits`(value: Double, digits: Int, rounded: Double) {
        #expect(DecimalText.rounded(value, digits: digits) == rounded)
    }

    @Test(arguments: [(0.5, 0.537, 0.51), (0.6, 0.512, 0.59), (0.5, 0.5003, 0.5001), (3, 9, 4), (0, 0.04, 0.01)])
    func `finds the shortest number between two bounds, nearest to the one left out`(
        excluded: Double,
        included: Double,
        roundest: Double
    ) {
        #expect(DecimalText.roundest(after: excluded, to: included) == roundest)
    }
}
