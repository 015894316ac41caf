/// The ways in which a server of HTTP/1.1 goes wrong, by name.
package struct Misbehaviour: Sendable, CustomStringConvertible {
    package enum Class: Sendable {
        /// Says too little for ever: only a limit of time ends it.
        case stalls
        /// Ends the connection before the answer is complete.
        case breaks
        /// Says more than anybody wants.
        case floods
        /// Says what is no HTTP, or none that can be trusted.
        case lies
        /// Says good HTTP with a body that takes long to read and much to hold.
        case rambles
    }

    package let description: String
    package let kind: Class
    package let reply: LoopbackReply

    init(_ name: String, _ kind: Class, _ steps: LoopbackReply.Step...) {
        description = name
        self.kind = kind
        reply = LoopbackReply(steps)
    }

    private static func text(_ text: String) -> LoopbackReply.Step { .bytes(Array(text.utf8)) }
    private static func head(_ headers: (String, String)...) -> LoopbackReply.Step {
        .bytes(LoopbackReply.head(200, headers))
    }

    package static let all: [Misbehaviour] = stalling + breaking + flooding + lying + rambling

    package static let stalling = [
        Misbehaviour("says nothing", .stalls, .hang),
        Misbehaviour("stops in the status line", .stalls, text("HTTP/1.1 2"), .hang),
        Misbehaviour("stops in the headers", .stalls, text("HTTP/1.1 200 OK\r\nContent-Ty"), .hang),
        Misbehaviour("stops before the body", .stalls, head(("Content-Length", "10")), .hang),
        Misbehaviour("stops in the body", .stalls, head(("Content-Length", "10")), text("12345"), .hang),
        Misbehaviour("never ends a body without a length", .stalls, head(), text("12345"), .hang),
        Misbehaviour(
            "stops between two chunks",
            .stalls,
            head(("Transfer-Encoding", "chunked")),
            text("5\r\n12345\r\n"),
            .hang
        ),
        Misbehaviour(
            "sends its head byte by byte",
            .stalls,
            .drip(LoopbackReply.head(200, [("Content-Length", "0")]), every: .milliseconds(100))
        ),
        Misbehaviour(
            "sends its body byte by byte",
            .stalls,
            head(("Content-Length", "1000")),
            .drip([UInt8](repeating: 65, count: 1_000), every: .milliseconds(50))
        ),
        Misbehaviour("sends early hints for ever", .stalls, text("HTTP/1.1 103 Early Hints\r\n\r\n"), .hang),
    ]

    package static let breaking = [
        Misbehaviour("ends without a word", .breaks, .close),
        Misbehaviour("resets at once", .breaks, .reset),
        Misbehaviour("ends in the headers", .breaks, text("HTTP/1.1 200 OK\r\nContent-Ty"), .close),
        Misbehaviour(
            "resets in the headers",
            .breaks,
            text("HTTP/1.1 200 OK\r\nContent-Ty"),
            .pause(.milliseconds(5)),
            .reset
        ),
        Misbehaviour(
            "resets in the body",
            .breaks,
            head(("Content-Length", "10")),
            text("12"),
            .pause(.milliseconds(5)),
            .reset
        ),
        Misbehaviour("sends less than its length", .breaks, head(("Content-Length", "100")), text("12345"), .close),
        Misbehaviour(
            "ends in a chunk",
            .breaks,
            head(("Transfer-Encoding", "chunked")),
            text("5\r\n123"),
            .close
        ),
        Misbehaviour(
            "ends before the last chunk",
            .breaks,
            head(("Transfer-Encoding", "chunked")),
            text("5\r\n12345\r\n"),
            .close
        ),
    ]

    package static let flooding = [
        Misbehaviour("sends a body without end", .floods, head(), .endless([UInt8](repeating: 120, count: 65_536))),
        Misbehaviour(
            "sends chunks without end",
            .floods,
            head(("Transfer-Encoding", "chunked")),
            .endless(Array("1000\r\n".utf8) + [UInt8](repeating: 120, count: 4_096) + [13, 10])
        ),
        Misbehaviour(
            "sends headers without end",
            .floods,
            text("HTTP/1.1 200 OK\r\n"),
            .endless(Array("A: b\r\n".utf8))
        ),
        Misbehaviour(
            "sends one header without end",
            .floods,
            text("HTTP/1.1 200 OK\r\nA: "),
            .endless([98, 98, 98, 98])
        ),
        Misbehaviour(
            "sends interim answers without end",
            .floods,
            .endless(Array("HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\n".utf8))
        ),
        Misbehaviour(
            "sends zeros without end, compressed",
            .floods,
            head(("Content-Encoding", "gzip")),
            .bytes(CompressedZeros.beginning),
            .endless(CompressedZeros.unit)
        ),
        Misbehaviour(
            "announces more than anybody takes",
            .floods,
            head(("Content-Length", "10737418240")),
            .endless([UInt8](repeating: 120, count: 65_536))
        ),
    ]

    package static let lying = [
        Misbehaviour("speaks another protocol", .lies, text("SSH-2.0-OpenSSH_9.2\r\n"), .close),
        Misbehaviour("has no status", .lies, text("HTTP/1.1 abc OK\r\nContent-Length: 0\r\n\r\n"), .close),
        Misbehaviour("has a status beyond all", .lies, text("HTTP/1.1 999 Odd\r\nContent-Length: 0\r\n\r\n"), .close),
        Misbehaviour(
            "has a NUL in a header",
            .lies,
            text("HTTP/1.1 200 OK\r\nA: b\0c\r\nContent-Length: 0\r\n\r\n"),
            .close
        ),
        Misbehaviour(
            "says gzip and sends none",
            .lies,
            head(("Content-Encoding", "gzip"), ("Content-Length", "5")),
            text("12345"),
            .close
        ),
        Misbehaviour(
            "compresses again and again",
            .lies,
            head(
                ("Content-Encoding", Array(repeating: "gzip", count: 50).joined(separator: ", ")),
                ("Content-Length", "1")
            ),
            text("1"),
            .close
        ),
        Misbehaviour(
            "has a chunk of no size",
            .lies,
            head(("Transfer-Encoding", "chunked")),
            text("zz\r\n12345\r\n0\r\n\r\n"),
            .close
        ),
        Misbehaviour(
            "has a chunk larger than any number",
            .lies,
            head(("Transfer-Encoding", "chunked")),
            text("ffffffffffffffffff\r\n1"),
            .close
        ),
    ]
}

extension Misbehaviour {
    /// Bodies of JSON that are as long as a reply may be.
    package static let rambling = [
        rambling("lists a million numbers", "[", "1,", "1]"), rambling("opens lists without end", "", "[", ""),
        rambling("begins a text without end", "", "\"", ""),
        rambling("says nothing but ampersands", #"{"businesses":[],"x":""#, "&", #""}"#),
        rambling("says nothing but escapes", #"{"businesses":[],"x":""#, #"\u0026"#, #""}"#),
        rambling("lists small objects in lists", #"{"businesses":["#, "[" + objects + "],", "{}]}"),
        rambling("lists what cannot be read", #"{"businesses":["#, #"{"id":"a","b":x},"#, "{}]}"),
    ]

    private static let objects = Array(repeating: #"{"a":1}"#, count: 1_000).joined(separator: ",")

    private static func rambling(_ name: String, _ head: String, _ part: String, _ tail: String) -> Misbehaviour {
        let parts = Array(repeating: Array(part.utf8), count: (2 << 20) / part.utf8.count).joined()
        let body = Array(head.utf8) + parts + Array(tail.utf8)
        return Misbehaviour(
            name,
            .rambles,
            Self.head(("Content-Type", "application/json"), ("Content-Length", String(body.count))),
            .bytes(body)
        )
    }
}

/// A gzip stream of zeros, 158 times smaller than what it stands for, made without a library.
package enum CompressedZeros {
    /// Header and first symbols of one block that never ends.
    package static var beginning: [UInt8] {
        [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 0xFF] + pack(first + repetition + repetition).prefix(13)
    }

    /// What follows the beginning, again and again: a whole number of symbols and of bytes.
    package static var unit: [UInt8] {
        let cycle = pack(first + repetition + repetition + repetition)[13..<26]
        return Array(repeating: Array(cycle), count: 1_024).flatMap(\.self)
    }

    /// A block with fixed codes that is not the last (bits 0, 1, 0), and the literal 0 (00110000).
    private static let first: [UInt8] = [0, 1, 0] + [0, 0, 1, 1, 0, 0, 0, 0]
    /// "258 bytes as the one before" (11000101 00000), eight times: 104 bits.
    private static let repetition: [UInt8] = Array(
        repeating: [1, 1, 0, 0, 0, 1, 0, 1, 0, 0, 0, 0, 0],
        count: 8
    ).flatMap(\.self)

    private static func pack(_ bits: [UInt8]) -> [UInt8] {
        stride(from: 0, to: bits.count - bits.count % 8, by: 8).map { start in
            (0..<8).reduce(UInt8(0)) { $0 | bits[start + $1] << UInt8($1) }
        }
    }
}
