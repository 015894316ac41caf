import JSONDocument

/// An error as the one JSON object that `--json` promises.
enum ErrorDocument {
    static func bytes(_ error: CommandError) -> [UInt8] {
        JSONWriter.bytes(error.json, style: .pretty) + [0x0A]
    }
}
