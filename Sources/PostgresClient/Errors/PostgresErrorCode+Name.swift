extension PostgresError.Code {
    /// `connection_lost` for `connectionLost`, `tls_failed` for `tlsFailed`.
    package var snakeCase: String {
        var text = ""
        for letter in rawValue {
            if letter.isUppercase, text.last?.isUppercase != true { text += "_" }
            text += letter.lowercased()
        }
        return text
    }
}
