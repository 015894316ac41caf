/// The statements one connection has prepared, by text and types; the longest unused makes room.
struct StatementCache {
    struct Key: Hashable {
        let text: String
        let types: [PostgresType]
    }

    enum Plan: Equatable {
        case known(name: String)
        /// To be prepared under this name.
        case new(name: String)
    }

    private struct Entry {
        let name: String
        var lastUse: UInt64
    }

    private let limit: Int
    private var entries: [Key: Entry] = [:]
    private var uses: UInt64 = 0
    /// Names on the server that are to be given up with the next call.
    private(set) var dismissed: [String] = []

    init(limit: Int = 256) {
        precondition(limit > 0, "a cache holds at least one statement")
        self.limit = limit
    }

    /// Finds the statement or names a new one, which `forget` takes back where preparing it fails.
    mutating func plan(_ key: Key) -> Plan {
        uses += 1
        if let entry = entries[key] {
            entries[key]?.lastUse = uses
            return .known(name: entry.name)
        }
        if entries.count == limit, let oldest = entries.min(by: { $0.value.lastUse < $1.value.lastUse }) {
            entries[oldest.key] = nil
            dismissed.append(oldest.value.name)
        }
        // A number is never used twice, so no name can mean two statements.
        let name = "knot_\(uses)"
        entries[key] = Entry(name: name, lastUse: uses)
        return .new(name: name)
    }

    /// Takes a statement out; one that the server has prepared is given up there with the next call.
    mutating func forget(_ key: Key, name: String, isPrepared: Bool) {
        dismissed.removeAll { $0 == name }
        if entries[key]?.name == name { entries[key] = nil }
        if isPrepared { dismissed.append(name) }
    }

    /// Starts again with nothing, for a server that has forgotten everything.
    mutating func forgetAll() {
        entries = [:]
        dismissed = []
    }

    mutating func takeDismissed() -> [String] {
        defer { dismissed = [] }
        return dismissed
    }
}

/// Whether a connection's statements are prepared under names.
///
/// A pooler that lends a server's session for one transaction gives the next one another session, which knows no name. It
/// shows by the number of the server's process, which is then not the one that was told when the connection was made.
enum StatementNaming {
    /// Not asked yet: nothing is named, and the first statements bring the question with them.
    case undecided
    case named
    case unnamed

    static let question: SQLQuery = "select pg_catalog.pg_backend_pid() as backend"
}
