import Testing

@testable import PostgresClient

@Suite("What PgBouncer reports as a broken protocol")
struct PoolerTextTests {
    @Test(arguments: [
        ("no such database: knot", PostgresError.Code.unknownDatabase),
        ("server login failed: FATAL database \"knot\" does not exist", .unknownDatabase),
        ("server login failed: FATAL role \"anna\" does not exist", .authenticationFailed),
        ("password authentication failed for user \"anna\"", .authenticationFailed),
        ("no more connections allowed (max_client_conn)", .tooManyConnections),
        ("query_wait_timeout", .tooManyConnections),
        ("server login failed: FATAL the database system is starting up", .serverRestarting),
        ("server login has been failing, try again later (server_login_retry)", .unreachable),
        ("pgbouncer cannot connect to server", .unreachable),
        ("query timeout", .statementTimeout),
        ("server conn crashed?", .connectionLost),
        ("idle transaction timeout", .connectionLost),
    ])
    func `is read by its text`(text: String, code: PostgresError.Code) {
        #expect(PostgresError.Code(sqlState: "08P01", message: text) == code)
        var diagnosis = WireDiagnosis()
        (diagnosis.severity, diagnosis.sqlState, diagnosis.message) = ("FATAL", "08P01", text)
        let error = PostgresError(diagnosis, at: "database knot")
        #expect(error.code == code && error.isPoisoning)
    }

    @Test func `stays a broken protocol where the text says nothing else`() {
        #expect(PostgresError.Code(sqlState: "08P01", message: "invalid message length") == .protocolViolation)
        #expect(PostgresError.Code(sqlState: "22000", message: "no such database") == .invalidValue)
    }
}
