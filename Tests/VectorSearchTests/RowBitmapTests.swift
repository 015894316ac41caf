import Testing

@testable import VectorSearch

@Suite("A bitmap of rows")
struct RowBitmapTests {
    @Test(arguments: [0, 1, 63, 64, 65, 200])
    func `holds what was put in`(count: Int) {
        var bitmap = RowBitmap(rowCount: count) { $0 % 3 == 0 }
        #expect(bitmap.count == (count + 2) / 3)
        #expect((0..<count).allSatisfy { bitmap[$0] == ($0 % 3 == 0) })
        for row in 0..<count { bitmap[row].toggle() }
        #expect(bitmap == RowBitmap(rowCount: count) { $0 % 3 != 0 })
        #expect(bitmap.words.count == (count + 63) / 64)
    }

    @Test func `knows whether any of some rows is in`() {
        for row in [0, 1, 62, 63, 64, 127, 128, 199] {
            var bitmap = RowBitmap(rowCount: 200)
            bitmap[row] = true
            for first in 0...200 {
                for end in [first, first + 1, first + 63, first + 64, first + 65, 200] where end <= 200 && end >= first
                {
                    #expect(
                        bitmap.hasAny(in: first..<end) == (first..<end).contains(row),
                        "\(row) in \(first)..<\(end)"
                    )
                }
            }
        }
    }
}
