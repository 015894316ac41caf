/// What has come of an answer, held to its limits; it knows no socket and no clock, and is given the time.
struct AnswerReader: Sendable {
    private let limits: HTTPLimits
    private let host: String
    private let start: ContinuousClock.Instant
    /// When the call has to be over, whatever has come.
    private let end: ContinuousClock.Instant

    private var status = 0
    private var headers = HTTPHeaders()
    private var headerBytes = 0
    private var hasHead = false
    private var body: [UInt8] = []
    private var isCut = false
    private var last: ContinuousClock.Instant?
    private var bodyStart: ContinuousClock.Instant?
    /// Why no more of the answer is taken; once set, it stays.
    private(set) var refusal: HTTPFailure?

    /// How long a body may be slow before it is held to its rate.
    private static let grace = Duration.seconds(2)

    init(_ limits: HTTPLimits, host: String, start: ContinuousClock.Instant, deadline: ContinuousClock.Instant) {
        self.limits = limits
        self.host = host
        self.start = start
        end = min(deadline, start + limits.total)
    }

    /// The answer, where it is complete.
    var response: HTTPResponse? {
        guard refusal == nil, hasHead else { return nil }
        return HTTPResponse(status: status, headers: headers, body: body, isCut: isCut)
    }

    /// Takes one line of the head with its line break; false where the answer is refused.
    mutating func takeLine(_ line: some Collection<UInt8>, at now: ContinuousClock.Instant) -> Bool {
        guard refusal == nil else { return false }
        last = now
        headerBytes += line.count
        guard headerBytes <= limits.headerBytes else {
            return refuse(.tooLarge, "its headers have more than \(limits.headerBytes) bytes")
        }
        var text = String(decoding: line, as: UTF8.self)[...]
        while let character = text.last, character.isNewline { text.removeLast() }
        if text.hasPrefix("HTTP/") {
            // An interim answer (100, 103) is followed by the real one.
            let words = text.split(separator: " ", maxSplits: 2)
            status = words.count > 1 ? Int(words[1]) ?? 0 : 0
            headers = HTTPHeaders()
            hasHead = false
            guard (100...599).contains(status) else {
                return refuse(.protocolError, "its status is none")
            }
        } else if text.isEmpty {
            hasHead = status >= 200
        } else if !hasHead, let colon = text.firstIndex(of: ":") {
            let value = text[text.index(after: colon)...].drop { $0 == " " || $0 == "\t" }
            headers.append(HTTPHeader(String(text[..<colon]), Self.trimmed(value)))
        }
        return true
    }

    private static func trimmed(_ value: Substring) -> String {
        var value = value
        while let character = value.last, character == " " || character == "\t" { value.removeLast() }
        return String(value)
    }

    /// Takes a piece of the decoded body; false where the answer is refused or its beginning is enough.
    ///
    /// `wireBytes` is how much of the body has come before it was decoded.
    mutating func takeBody(_ piece: some Collection<UInt8>, wireBytes: Int, at now: ContinuousClock.Instant) -> Bool {
        guard refusal == nil, !isCut else { return false }
        last = now
        if bodyStart == nil { bodyStart = now }
        let most = limits.cutsBody ? min(limits.bodyBytes, limits.decodedBytes) : limits.decodedBytes
        let room = most - body.count
        if piece.count > room {
            guard limits.cutsBody else {
                return refuse(.tooLarge, "its body has more than \(most) bytes once it is decompressed")
            }
            body += piece.prefix(room)
            isCut = true
            return false
        }
        body += piece
        return limits.cutsBody || checkWire(wireBytes)
    }

    private mutating func checkWire(_ wireBytes: Int) -> Bool {
        guard wireBytes > limits.bodyBytes else { return true }
        return refuse(.tooLarge, "its body has more than \(limits.bodyBytes) bytes")
    }

    /// Looks whether a limit of time is over; returns when to look next, or nil where the answer is refused.
    ///
    /// `sent` is how long after the start the request was sent; nil while the connection is being made.
    mutating func look(
        at now: ContinuousClock.Instant,
        sent: Duration?,
        wireBytes: Int
    ) -> ContinuousClock.Instant? {
        guard refusal == nil else { return nil }
        if now >= end { return late("no complete answer after \(Self.seconds(start.duration(to: now)))") }
        guard limits.cutsBody || checkWire(wireBytes) else { return nil }
        var next = end
        if let last {
            let limit = last + limits.idle
            if now >= limit { return late("nothing came for \(Self.seconds(limits.idle))") }
            next = min(next, limit)
        } else {
            let limit = sent.map { start + $0 + limits.firstByte } ?? (start + limits.connect)
            if sent != nil, now >= limit { return late("no byte after \(Self.seconds(limits.firstByte))") }
            // While the connection is being made its own timer runs; afterwards the first byte is due.
            next = min(next, sent == nil ? max(limit, now + .milliseconds(50)) : limit)
        }
        if let bodyStart {
            let taken = bodyStart.duration(to: now)
            if taken >= Self.grace, wireBytes < Int(taken / .seconds(1)) * limits.bytesPerSecond {
                return late("its body came at less than \(limits.bytesPerSecond) bytes a second")
            }
            next = min(next, max(bodyStart + Self.grace, now + .milliseconds(500)))
        }
        return next
    }

    private mutating func refuse(_ kind: HTTPFailure.Kind, _ detail: String) -> Bool {
        refusal = HTTPFailure(kind, host: host, detail)
        return false
    }

    private mutating func late(_ detail: String) -> ContinuousClock.Instant? {
        refusal = HTTPFailure(.timeout, host: host, detail)
        return nil
    }

    private static func seconds(_ duration: Duration) -> String {
        let tenths = Int(duration / .milliseconds(100))
        return tenths % 10 == 0 ? "\(tenths / 10) s" : "\(tenths / 10).\(tenths % 10) s"
    }
}
