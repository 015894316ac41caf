import VectorSearch

/// A part of the rows, as a filter allows them.
struct RowSelection {
    enum Spread: String, CaseIterable {
        /// Each row by itself, as a price or a shop would choose.
        case random
        /// One stretch, as a vault or a day would.
        case contiguous
    }

    let rows: RowBitmap
    let count: Int

    init(percent: Int, of rowCount: Int, spread: Spread) {
        var random = RandomLanes(seed: UInt64(percent))
        let length = rowCount * percent / 100
        let start = (rowCount - length) / 3
        rows = RowBitmap(rowCount: rowCount) { row in
            switch spread {
            case .random: random.next(below: 100) < percent
            case .contiguous: row >= start && row < start + length
            }
        }
        count = rows.count
    }
}
