extension PostgresError {
    /// A connection that did not come about: libpq has only a text, with the server's SQLSTATE in it if there was one.
    init(connecting message: String, needsPassword: Bool, to target: ConnectionTarget) {
        let state = Self.sqlState(in: message)
        var code = state.map { Code(sqlState: $0) } ?? Self.code(ofLocal: message)
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
    private static func code(ofLocal message: String) -> Code {
        let causes: [(String, Code)] = [
            ("does not support SSL", .tlsRequired), ("certificate", .tlsFailed), ("SSL", .tlsFailed),
            ("server name", .tlsFailed), ("could not translate host name", .unreachable),
            ("timeout expired", .unreachable), ("timed out", .unreachable), ("unreachable", .unreachable),
            ("No route", .unreachable), ("Connection reset", .unreachable), ("service", .configuration),
            ("invalid", .configuration), ("Connection refused", .connectionRefused),
            ("No such file", .connectionRefused), ("Permission denied", .connectionRefused),
            ("server closed the connection", .connectionLost),
        ]
        return causes.first { message.contains($0.0) }?.1 ?? .connectionRefused
    }
}
