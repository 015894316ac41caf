import FileInput

extension PostgresError: CustomStringConvertible {
    /// What happened and where, in one sentence without any value.
    package var description: String {
        var text = what
        if let detail { text += " (\(detail))" }
        if !place.isEmpty { text += ", \(place)" }
        if let sqlState, code == .server { text += ", SQLSTATE \(sqlState)" }
        return text
    }

    /// What happened.
    package var what: String {
        switch code {
        case .configuration: "the database settings cannot be used"
        case .connectionRefused: "no database server answers"
        case .unreachable: "the database server cannot be reached"
        case .authenticationFailed: "the database server refuses this user or password"
        case .unknownDatabase: "there is no such database"
        case .tlsRequired: "the connection is not encrypted on one side and must be on the other"
        case .tlsFailed: "the database server's certificate cannot be trusted"
        case .tooManyConnections: "the database server has no connection left"
        case .connectionLost: "the connection to the database is lost"
        case .serverRestarting: "the database server is starting or stopping"
        case .readOnly: "the database takes no writes"
        case .diskFull: "the database server's disk is full"
        case .outOfMemory: "the database server or this machine is out of resources"
        case .statementTimeout: "the database did not answer in time"
        case .lockTimeout: "a lock in the database did not come free in time"
        case .cancelled: "the statement was cancelled"
        case .serializationFailure: "another transaction was faster"
        case .deadlock: "two transactions waited for each other"
        case .uniqueViolation: "\(subject) is there already"
        case .foreignKeyViolation: "\(subject) points at something that is gone"
        case .checkViolation: "a value breaks the rule \(subject)"
        case .notNullViolation: "\(subject) must have a value"
        case .exclusionViolation: "\(subject) overlaps one that is there"
        case .invalidValue: "a value is not what its column takes"
        case .invalidText: "a text holds the character U+0000, which no database text can"
        case .notPermitted: "the database role may not do this"
        case .undefinedObject: "the database lacks something that is needed"
        case .duplicateObject: "the database has something of that name already"
        case .missingExtension: "the database lacks the extension pgvector"
        case .invalidStatement: "the database does not understand a statement"
        case .rolledBack: "the transaction was rolled back, nothing was stored"
        case .unknownCommit: "the connection broke while the transaction was being stored"
        case .unexpectedValue: "the database returned something unexpected"
        case .misuse: "the connection is used in a way it does not allow"
        case .poolClosed: "the database connections are closed"
        case .protocolViolation: "the database server broke its protocol"
        case .server: "the database reports an error"
        }
    }

    private var subject: String { constraint ?? column ?? table ?? "a row" }
}

extension PostgresError {
    /// A connection that did not come about: libpq has only a text, with the server's SQLSTATE in it if there was one.
    init(connecting message: String, needsPassword: Bool, to target: ConnectionTarget) {
        let state = Self.sqlState(in: message)
        var code = state.map { Code(sqlState: $0, message: message) } ?? Self.code(ofLocal: message)
        if state == "28000" || state == "28P01" {
            // pg_hba.conf refuses the unencrypted attempt with the state of a wrong password.
            let mode = target.tlsMode
            code = message.contains("no encryption") && mode == "disable" ? .tlsRequired : .authenticationFailed
        }
        if state == nil, needsPassword { code = .authenticationFailed }
        self.init(
            code,
            sqlState: state,
            at: target.description,
            serverMessage: Secret(message),
            detail: needsPassword ? "a password is needed and none was given" : nil
        )
    }

    /// The five letters in `FATAL:  28P01: …`; the last of them, when several addresses were tried.
    static func sqlState(in message: String) -> String? {
        var found: String?
        for line in message.split(separator: "\n") {
            var rest = line[...]
            while let mark = rest.firstRange(of: ":  ") {
                rest = rest[mark.upperBound...]
                let letters = rest.prefix(5)
                let isState = letters.utf8.allSatisfy { 48...57 ~= $0 || 65...90 ~= $0 }
                if letters.count == 5, isState, rest.dropFirst(5).hasPrefix(":") { found = String(letters) }
            }
        }
        return found
    }

    /// Texts of libpq itself, which has them in English unless a program sets a locale; ours does not.
    ///
    /// What it quotes is somebody's name for a host, a folder or a file, and may hold any of these words. A line that is cut
    /// while TLS is agreed on is a matter of the network, whatever else the text says of TLS.
    private static func code(ofLocal message: String) -> Code {
        let causes: [(String, Code)] = [
            ("does not support SSL", .tlsRequired), ("certificate", .tlsFailed),
            ("SSL SYSCALL", .unreachable), ("unexpected eof", .unreachable),
            ("SSL connection has been closed", .unreachable), ("error response during SSL", .unreachable),
            ("could not translate host name", .unreachable),
            ("timeout expired", .unreachable), ("timed out", .unreachable), ("unreachable", .unreachable),
            ("No route", .unreachable), ("Connection reset", .unreachable), ("SSL", .tlsFailed),
            ("server name", .tlsFailed), ("service", .configuration), ("invalid", .configuration),
            ("Connection refused", .connectionRefused), ("No such file", .connectionRefused),
            ("Permission denied", .connectionRefused), ("server closed the connection", .connectionLost),
        ]
        let words = message.split(separator: "\"", omittingEmptySubsequences: false).enumerated()
            .compactMap { $0.offset.isMultiple(of: 2) ? $0.element : nil }.joined(separator: "\"")
        return causes.first { words.contains($0.0) }?.1 ?? .connectionRefused
    }
}
