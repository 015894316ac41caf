/// Where output goes: a descriptor of the process, or memory in a test.
protocol ByteSink: Sendable {
    /// Writes all bytes or throws; a reader that went away is `CommandError.readerLeft`.
    func write(_ bytes: [UInt8]) throws(CommandError)
}

extension ByteSink {
    /// Writes the UTF-8 of a text.
    func write(_ text: String) throws(CommandError) {
        try write(Array(text.utf8))
    }
}
