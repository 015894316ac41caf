import Synchronization
import VectorSearch

/// Matrices of rows that the harness names by their address only, made at its warm-up call.
///
/// A matrix of ours keeps the length of each row, and the harness' plain calls have no place for that. It never changes
/// rows that it has named.
final class KnownRows: Sendable {
    static let shared = KnownRows()

    private struct Entry {
        let address: UInt
        let count: Int
        let rows: PreparedRows
    }

    private let known = Mutex<[Entry]>([])

    func rows(_ values: UnsafePointer<Float>, count: Int, dimension: Int) -> PreparedRows {
        let address = UInt(bitPattern: values)
        let found = known.withLock { known in known.last { $0.address == address && $0.count == count } }
        if let found { return found.rows }
        // Two are in use at once, a table's rows and columns; more would only hold memory.
        known.withLock { known in if known.count >= 2 { known.removeFirst() } }
        do {
            let span = unsafe Span(_unsafeStart: values, count: count * dimension)
            let rows = try PreparedRows(span, dimension: dimension, makesCodes: false, threads: 1)
            add(rows, address: address, count: count)
            return rows
        } catch {
            preconditionFailure("The rows could not be taken: \(error)")
        }
    }

    /// Makes rows with a handle known to the calls that have none, so that they are not kept twice.
    func add(_ rows: PreparedRows, address: UInt, count: Int) {
        known.withLock { $0.append(Entry(address: address, count: count, rows: rows)) }
    }

    func remove(_ rows: PreparedRows) { known.withLock { known in known.removeAll { $0.rows === rows } } }
}
