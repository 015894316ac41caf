/// Takes a client's bytes apart into messages, wherever the chunks begin and end.
struct WireMessageReader {
    enum Message: Equatable {
        case startup
        case cancel
        /// A question before the start, such as whether the server can encrypt.
        case question
        case parse
        case execute(text: String)
        case sync
        case query(text: String)
        case other(UInt8)
    }

    private var buffer: [UInt8] = []
    private var hasStarted = false
    private var statements: [String: String] = [:]
    private var portals: [String: String] = [:]

    /// Returns each whole message with its bytes.
    mutating func take(_ chunk: ArraySlice<UInt8>) -> [(message: Message, bytes: [UInt8])] {
        buffer += chunk
        var found: [(Message, [UInt8])] = []
        while let size = nextSize(), buffer.count >= size {
            let bytes = Array(buffer.prefix(size))
            buffer.removeFirst(size)
            found.append((message(bytes), bytes))
        }
        return found
    }

    private func nextSize() -> Int? {
        let start = hasStarted ? 1 : 0
        guard buffer.count >= start + 4 else { return nil }
        return start + number(buffer, at: start)
    }

    private func number(_ bytes: [UInt8], at offset: Int) -> Int {
        bytes[offset..<offset + 4].reduce(0) { $0 << 8 | Int($1) }
    }

    private mutating func message(_ bytes: [UInt8]) -> Message {
        guard hasStarted else {
            switch bytes.count >= 8 ? number(bytes, at: 4) : 0 {
            case 80_877_102: return .cancel
            case 80_877_103, 80_877_104: return .question
            default:
                hasStarted = true
                return .startup
            }
        }
        let texts = bytes.dropFirst(5).split(separator: 0, maxSplits: 2, omittingEmptySubsequences: false)
            .map { String(decoding: $0, as: UTF8.self) }
        switch bytes[0] {
        case UInt8(ascii: "P"):
            statements[texts[0]] = texts[1]
            return .parse
        case UInt8(ascii: "B"):
            portals[texts[0]] = statements[texts[1]]
            return .other(bytes[0])
        case UInt8(ascii: "E"): return .execute(text: portals[texts[0]] ?? "")
        case UInt8(ascii: "S"): return .sync
        case UInt8(ascii: "Q"): return .query(text: texts[0])
        default: return .other(bytes[0])
        }
    }
}
