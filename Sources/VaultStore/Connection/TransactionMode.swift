/// What a transaction may do and see.
package enum TransactionMode: Sendable {
    case readWrite
    case serializable
    case readOnly
    /// Read only, with every statement seeing the same moment.
    case snapshot

    var begin: SQLQuery {
        switch self {
        // Writing is not asked for by name: that would override whoever has set the server or database to reading.
        case .readWrite: "begin isolation level read committed"
        case .serializable: "begin isolation level serializable"
        case .readOnly: "begin isolation level read committed read only"
        case .snapshot: "begin isolation level repeatable read read only"
        }
    }

    var isWriting: Bool {
        switch self {
        case .readWrite, .serializable: true
        case .readOnly, .snapshot: false
        }
    }
}
