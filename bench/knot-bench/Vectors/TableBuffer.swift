/// Room for one thread's dense tables, one after another.
final class TableBuffer {
    var values: [Float]

    init(places: Int) { values = [Float](repeating: 0, count: places) }
}
