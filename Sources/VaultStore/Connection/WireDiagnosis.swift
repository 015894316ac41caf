/// The parts of an error that libpq hands out, copied.
struct WireDiagnosis: Sendable, Hashable {
    /// `ERROR`, `FATAL`, `PANIC`; empty when the error is libpq's own.
    var severity = ""
    var sqlState: String?
    var message = ""
    var table: String?
    var column: String?
    var constraint: String?

    /// True when the server ends the connection with it, or libpq lost it.
    var isFatal: Bool { severity != "ERROR" }
}
