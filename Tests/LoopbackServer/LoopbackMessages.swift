/// A request as the loopback server read it.
package struct LoopbackRequest: Sendable {
    package let method: String
    /// Path and query as they came.
    package let target: String
    /// In their order, names in lower case.
    package let headers: [(name: String, value: String)]
    package let body: [UInt8]
    /// Numbers the server's connections from 0, in the order in which they came.
    package let connection: Int

    /// The target without its query.
    package var path: String { String(target.prefix { $0 != "?" }) }

    /// The first value of a header, whose name is given in lower case.
    package func header(_ name: String) -> String? { headers.first { $0.name == name }?.value }

    /// The names and values of the query, decoded.
    package var query: [(name: String, value: String)] {
        target.drop { $0 != "?" }.dropFirst().split(separator: "&").map { pair in
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            return (Self.decoded(parts[0]), parts.count > 1 ? Self.decoded(parts[1]) : "")
        }
    }

    /// The first value of a name in the query.
    package func value(_ name: String) -> String? { query.first { $0.name == name }?.value }

    private static func decoded(_ text: Substring) -> String {
        var bytes: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "%"), rest.count >= 2,
                let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16)
            {
                bytes.append(value)
                rest = rest.dropFirst(2)
            } else {
                bytes.append(byte == UInt8(ascii: "+") ? UInt8(ascii: " ") : byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}

/// What the loopback server does about a request: steps in their order, from well-behaved to malicious.
package struct LoopbackReply: Sendable {
    package enum Step: Sendable {
        case bytes([UInt8])
        /// Says nothing for so long.
        case pause(Duration)
        /// One byte at a time, each after so long.
        case drip([UInt8], every: Duration)
        /// The same bytes again and again, for as long as they are taken.
        case endless([UInt8])
        /// Says nothing until the client goes or the server stops.
        case hang
        /// Ends the connection in order.
        case close
        /// Ends the connection by a reset.
        case reset
    }

    package var steps: [Step]

    package init(_ steps: [Step]) {
        self.steps = steps
    }

    /// A complete answer.
    package init(
        _ status: Int = 200,
        headers: [(String, String)] = [],
        body: [UInt8] = [],
        type: String? = nil
    ) {
        var all = headers
        if let type { all.append(("Content-Type", type)) }
        let bearsBody = status != 204 && status != 304 && status >= 200
        if bearsBody { all.append(("Content-Length", String(body.count))) }
        steps = [.bytes(Self.head(status, all)), .bytes(bearsBody ? body : [])]
    }

    package static func json(_ text: String, status: Int = 200, headers: [(String, String)] = []) -> LoopbackReply {
        LoopbackReply(status, headers: headers, body: Array(text.utf8), type: "application/json; charset=utf-8")
    }

    package static func html(_ text: String, status: Int = 200, headers: [(String, String)] = []) -> LoopbackReply {
        LoopbackReply(status, headers: headers, body: Array(text.utf8), type: "text/html; charset=utf-8")
    }

    package static func redirect(to url: String, status: Int = 302) -> LoopbackReply {
        LoopbackReply(status, headers: [("Location", url)])
    }

    /// The same answer after so long.
    package func after(_ pause: Duration) -> LoopbackReply {
        LoopbackReply([.pause(pause)] + steps)
    }

    /// A status line, headers and the empty line, without anything added.
    package static func head(_ status: Int, _ headers: [(String, String)]) -> [UInt8] {
        let lines = ["HTTP/1.1 \(status) Status"] + headers.map { "\($0.0): \($0.1)" }
        return Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8)
    }
}
