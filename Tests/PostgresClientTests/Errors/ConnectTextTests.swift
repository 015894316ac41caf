import Testing

@testable import PostgresClient

@Suite("What libpq says of a connection that did not come about")
struct ConnectTextTests {
    /// A text and what it means.
    struct Case: Sendable, CustomTestStringConvertible {
        let text: String
        let code: PostgresError.Code

        init(_ text: String, _ code: PostgresError.Code) {
            self.text = text
            self.code = code
        }

        var testDescription: String { text }
    }

    private static let socket = #"connection to server on socket "/srv/service/SSL certificate/.s.PGSQL.5432" failed: "#
    private static let host = #"connection to server at "invalid-service.certificate" (10.0.0.1), port 5432 failed: "#

    private func error(_ text: String) throws -> PostgresError {
        PostgresError(connecting: text, needsPassword: false, to: try ConnectionTarget(url: "host=/tmp"))
    }

    @Test(arguments: [
        Case(socket + "No such file or directory", .connectionRefused),
        Case(host + "Connection refused", .connectionRefused),
        Case(host + "timeout expired", .unreachable),
        Case(host + "server closed the connection unexpectedly", .connectionLost),
        Case(#"could not translate host name "db-service" to address: Name or service not known"#, .unreachable),
    ])
    func `is read without the names that it quotes`(text: Case) throws {
        #expect(try error(text.text).code == text.code)
    }

    @Test(arguments: [
        Case(host + "SSL SYSCALL error: EOF detected", .unreachable),
        Case(host + "SSL SYSCALL error: Connection reset by peer", .unreachable),
        Case(host + "SSL error: unexpected eof while reading", .unreachable),
        Case(host + "SSL connection has been closed unexpectedly", .unreachable),
        Case(host + "server sent an error response during SSL exchange", .unreachable),
    ])
    func `is of the network where the line was cut while TLS was agreed on, so a worker tries again`(text: Case) throws
    {
        #expect(try error(text.text).code == text.code)
        #expect(try error(text.text).isTransient)
    }

    @Test(arguments: [
        Case(host + "SSL error: certificate verify failed", .tlsFailed),
        Case(#"root certificate file "/nowhere/root.crt" does not exist"#, .tlsFailed),
        Case(host + "SSL error: tlsv1 alert protocol version", .tlsFailed),
        Case(host + "server does not support SSL, but SSL was required", .tlsRequired),
        Case(#"definition of service "knot" not found"#, .configuration),
        Case(#"invalid sslmode value: "sometimes""#, .configuration),
    ])
    func `still tells what somebody has to mend`(text: Case) throws {
        #expect(try error(text.text).code == text.code)
    }
}
