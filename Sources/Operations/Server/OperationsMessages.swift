/// A request as it was read: nothing of it is trusted, and nothing of it is changed by an answer.
package struct OperationsRequest: Sendable, Hashable {
    /// GET or HEAD; nothing else is answered.
    package let method: String
    /// From the slash, without a query.
    package let path: String
    /// Behind the question mark, as it came.
    package let query: String
    /// Names in lower case; the first value of each.
    package let headers: [String: String]

    /// Why bytes are no request that is answered.
    enum Refusal: Int, Error, CaseIterable {
        case badRequest = 400
        case methodNotAllowed = 405
        case contentTooLarge = 413
        case misdirected = 421
        case headersTooLarge = 431
        case timeout = 408
        case unavailable = 503

        var words: String {
            switch self {
            case .badRequest: "that is no request"
            case .methodNotAllowed: "only GET and HEAD are answered"
            case .contentTooLarge: "a request has no body here"
            case .misdirected: "that is not this server's name"
            case .headersTooLarge: "the head is too long"
            case .timeout: "the request took too long"
            case .unavailable: "too many connections"
            }
        }
    }

    /// Reads a head with its empty line.
    init(head: ArraySlice<UInt8>) throws(Refusal) {
        // A line's end is both bytes; either alone, and any other control character, is read differently by different readers.
        var lines: [Substring] = []
        guard let text = String(validating: head, as: UTF8.self) else { throw .badRequest }
        for line in text.split(separator: "\r\n", omittingEmptySubsequences: true) {
            guard line.unicodeScalars.allSatisfy({ $0.value >= 0x20 && $0.value != 0x7F || $0 == "\t" }) else {
                throw .badRequest
            }
            lines.append(line)
        }
        let words = lines.first?.split(separator: " ", omittingEmptySubsequences: false) ?? []
        guard words.count == 3, words[2] == "HTTP/1.1" || words[2] == "HTTP/1.0", words[1].hasPrefix("/") else {
            throw .badRequest
        }
        var headers: [String: String] = [:]
        for line in lines.dropFirst() {
            let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2, !parts[0].isEmpty, !parts[0].contains(" "), !parts[0].contains("\t") else {
                throw .badRequest
            }
            let name = parts[0].lowercased()
            // Two of these would mean two things.
            if headers[name] != nil, name == "host" || name == "content-length" || name == "authorization" {
                throw .badRequest
            }
            headers[name] = headers[name] ?? String(parts[1].drop { $0 == " " || $0 == "\t" })
        }
        let target = words[1].split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        method = String(words[0])
        path = String(target[0])
        query = target.count > 1 ? String(target[1]) : ""
        self.headers = headers
        guard method == "GET" || method == "HEAD" else { throw .methodNotAllowed }
        guard headers["transfer-encoding"] == nil, headers["content-length"] ?? "0" == "0" else {
            throw .contentTooLarge
        }
    }

    /// The name that the request was sent to, without a port; nil where none is given.
    var host: String? {
        guard let value = headers["host"] else { return nil }
        let end = value.hasPrefix("[") ? value.firstIndex(of: "]").map(value.index(after:)) : value.firstIndex(of: ":")
        let name = value[..<(end ?? value.endIndex)]
        // What follows the name is a port or nothing.
        let rest = value[name.endIndex...]
        let isPort = rest.first == ":" && rest.utf8.dropFirst().allSatisfy { (0x30...0x39).contains($0) }
        return rest.isEmpty || isPort && rest.utf8.count <= 6 ? String(name) : nil
    }
}

/// What is answered: a whole document, or the beginning of one that goes on for as long as the other side listens.
package struct OperationsAnswer: Sendable, Hashable {
    package var status: Int
    package var type: String
    package var headers: [String: String]
    package var body: [UInt8]
    /// Whether `OperationsServer.send` adds to it.
    package var isStream: Bool

    package init(
        _ status: Int = 200,
        type: String,
        headers: [String: String] = [:],
        body: [UInt8],
        isStream: Bool = false
    ) {
        self.status = status
        self.type = type
        self.headers = headers
        self.body = body
        self.isStream = isStream
    }

    package static func text(_ text: String, status: Int = 200) -> OperationsAnswer {
        OperationsAnswer(status, type: "text/plain; charset=utf-8", body: Array(text.utf8))
    }

    package static let notFound = OperationsAnswer.text("there is nothing at that path\n", status: 404)

    init(_ refusal: OperationsRequest.Refusal) {
        self = .text("\(refusal.words)\n", status: refusal.rawValue)
        if refusal == .methodNotAllowed { headers["Allow"] = "GET, HEAD" }
    }

    /// The bytes that are sent; each connection bears one answer.
    func bytes(isHead: Bool) -> [UInt8] {
        var lines = ["HTTP/1.1 \(status) \(Self.phrase(of: status))", "Content-Type: \(type)", "Connection: close"]
        if !isStream { lines.append("Content-Length: \(body.count)") }
        // A page of this server can be framed, sniffed and kept by nobody.
        lines += [
            "Cache-Control: no-store", "X-Content-Type-Options: nosniff", "X-Frame-Options: DENY",
            "Referrer-Policy: no-referrer", "Cross-Origin-Resource-Policy: same-origin",
        ]
        if headers["Content-Security-Policy"] == nil { lines.append("Content-Security-Policy: default-src 'none'") }
        lines += headers.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }
        return Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8) + (isHead ? [] : body)
    }

    private static func phrase(of status: Int) -> String {
        switch status {
        case 200: "OK"
        case 401: "Unauthorized"
        case 404: "Not Found"
        case 503: "Service Unavailable"
        default: status < 400 ? "Answer" : "Refused"
        }
    }
}
