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
    /// Bytes that are set aside for a body because its length says so.
    private static let mostReserved = 256 << 10

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
    mutating func takeLine(_ line: some RandomAccessCollection<UInt8>, at now: ContinuousClock.Instant) -> Bool {
        guard refusal == nil else { return false }
        last = now
        headerBytes += line.count
        guard headerBytes <= limits.headerBytes else {
            return refuse(.tooLarge, "its headers have more than \(limits.headerBytes) bytes")
        }
        // Bytes, and no characters: a line is read a dozen times a call.
        let text = Self.trimmed(line[...]) { $0 == 0x0D || $0 == 0x0A }
        if text.starts(with: "HTTP/".utf8) {
            // An interim answer (100, 103) is followed by the real one.
            status = Self.status(in: text)
            headers = HTTPHeaders(room: 12)
            hasHead = false
            guard (100...599).contains(status) else {
                return refuse(.protocolError, "its status is none")
            }
        } else if text.isEmpty {
            hasHead = status >= 200
        } else if !hasHead, let colon = text.firstIndex(of: 0x3A) {
            let value = text[text.index(after: colon)...].drop(while: Self.isBlank)
            headers.append(
                HTTPHeader(
                    String(decoding: text[..<colon], as: UTF8.self),
                    String(decoding: Self.trimmed(value, of: Self.isBlank), as: UTF8.self)
                )
            )
        }
        return true
    }

    /// The second word of a status line as a number; 0 where it is none.
    private static func status(in line: some RandomAccessCollection<UInt8>) -> Int {
        let digits = line.drop { $0 != 0x20 }.drop { $0 == 0x20 }.prefix { $0 != 0x20 }
        guard digits.count == 3, digits.allSatisfy({ (0x30...0x39).contains($0) }) else { return 0 }
        return digits.reduce(0) { $0 * 10 + Int($1 & 15) }
    }

    private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }

    /// Without such bytes at its end.
    private static func trimmed<Bytes: RandomAccessCollection<UInt8>>(
        _ bytes: Bytes,
        of isTrimmed: (UInt8) -> Bool
    ) -> Bytes.SubSequence {
        var end = bytes.endIndex
        while end > bytes.startIndex, isTrimmed(bytes[bytes.index(before: end)]) { end = bytes.index(before: end) }
        return bytes[..<end]
    }

    /// Takes a piece of the decoded body; false where the answer is refused or its beginning is enough.
    ///
    /// `wireBytes` is how much of the body has come before it was decoded.
    mutating func takeBody(_ piece: some Collection<UInt8>, wireBytes: Int, at now: ContinuousClock.Instant) -> Bool {
        guard refusal == nil, !isCut else { return false }
        last = now
        if bodyStart == nil {
            bodyStart = now
            // Grown once for most answers; who announces more than that is believed when it comes.
            let announced = headers["content-length"].flatMap { Int($0) } ?? 0
            body.reserveCapacity(min(max(announced, 0), Self.mostReserved, limits.decodedBytes))
        }
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
        if now >= end { return late("no complete answer after \(HTTPFailure.seconds(start.duration(to: now)))") }
        guard limits.cutsBody || checkWire(wireBytes) else { return nil }
        var next = end
        if let last {
            let limit = last + limits.idle
            if now >= limit { return late("nothing came for \(HTTPFailure.seconds(limits.idle))") }
            next = min(next, limit)
        } else {
            let limit = sent.map { start + $0 + limits.firstByte } ?? (start + limits.connect)
            if sent != nil, now >= limit { return late("no byte after \(HTTPFailure.seconds(limits.firstByte))") }
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
        // What is refused is nobody's answer.
        body = []
        refusal = HTTPFailure(kind, host: host, detail)
        return false
    }

    private mutating func late(_ detail: String) -> ContinuousClock.Instant? {
        refusal = HTTPFailure(.timeout, host: host, detail)
        return nil
    }
}
