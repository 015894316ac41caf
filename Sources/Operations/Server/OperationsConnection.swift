/// One connection of the server, from its first byte to its last: it has no socket and no clock, and is given both.
struct OperationsConnection: Sendable {
    /// What a connection may take.
    struct Limits: Sendable {
        var headBytes = 8 << 10
        /// From the first moment to the end of the head.
        var reading = Duration.seconds(5)
        /// From the head to the end of the answer.
        var writing = Duration.seconds(10)
        /// From the end of the answer to that of the connection.
        var closing = Duration.seconds(1)
        /// What waits for a slow reader of a stream.
        var pendingBytes = 1 << 20
        /// A stream says something that often, so that a reader that is gone is noticed.
        var heartbeat = Duration.seconds(15)
    }

    enum Phase: Sendable, Equatable {
        case reading
        /// The rest of an answer is sent.
        case writing
        /// All is sent; what the other side still says is thrown away, or it would take a reset for our last word.
        case closing
        case streaming
        case over
    }

    private(set) var phase = Phase.reading
    private var input: [UInt8] = []
    /// Sent as far as it is taken.
    private(set) var output: ArraySlice<UInt8> = []
    private let limits: Limits
    /// When it is over whatever has happened, or says that it is alive.
    private(set) var deadline: ContinuousClock.Instant

    init(_ limits: Limits, at now: ContinuousClock.Instant) {
        self.limits = limits
        deadline = now + limits.reading
    }

    /// Whether what comes is to be read; the rest of an answer is sent even where the other side says nothing more.
    var reads: Bool { phase != .writing }

    /// Takes what came, and answers once the head is whole.
    mutating func take(
        _ bytes: [UInt8],
        at now: ContinuousClock.Instant,
        _ answer: (OperationsRequest) throws(OperationsRequest.Refusal) -> OperationsAnswer
    ) {
        // After its head a reader has nothing to say.
        guard phase == .reading else { return }
        let searched = max(0, input.count - 3)
        input += bytes
        guard let end = Self.endOfHead(input, from: searched) else {
            if input.count > limits.headBytes { reply(OperationsAnswer(.headersTooLarge), isHead: false, at: now) }
            return
        }
        guard end <= limits.headBytes else {
            return reply(OperationsAnswer(.headersTooLarge), isHead: false, at: now)
        }
        do throws(OperationsRequest.Refusal) {
            let request = try OperationsRequest(head: input[..<end])
            reply(try answer(request), isHead: request.method == "HEAD", at: now)
        } catch {
            reply(OperationsAnswer(error), isHead: false, at: now)
        }
    }

    /// Says something more on a stream; one that does not read is ended.
    mutating func send(_ bytes: [UInt8]) {
        guard phase == .streaming else { return }
        output += bytes
        if output.count > limits.pendingBytes { phase = .over }
    }

    /// So many bytes were taken off the output.
    mutating func sent(_ count: Int, at now: ContinuousClock.Instant) {
        output = output.dropFirst(count)
        guard output.isEmpty, phase == .writing else { return }
        phase = .closing
        deadline = min(deadline, now + limits.closing)
    }

    /// The other side is gone, or the socket failed.
    mutating func end() { phase = .over }

    /// Its time has come.
    mutating func look(at now: ContinuousClock.Instant) {
        guard now >= deadline else { return }
        switch phase {
        case .reading: reply(OperationsAnswer(.timeout), isHead: false, at: now)
        case .writing, .closing, .over: phase = .over
        case .streaming:
            deadline = now + limits.heartbeat
            // A comment of server-sent events.
            send([0x3A, 0x0A, 0x0A])
        }
    }

    private mutating func reply(_ answer: OperationsAnswer, isHead: Bool, at now: ContinuousClock.Instant) {
        input = []
        output = answer.bytes(isHead: isHead)[...]
        phase = answer.isStream && !isHead ? .streaming : .writing
        deadline = now + (phase == .streaming ? limits.heartbeat : limits.writing)
    }

    private static func endOfHead(_ bytes: [UInt8], from start: Int) -> Int? {
        guard bytes.count >= 4 else { return nil }
        return (start...max(start, bytes.count - 4)).first {
            $0 + 3 < bytes.count && bytes[$0] == 13 && bytes[$0 + 1] == 10 && bytes[$0 + 2] == 13 && bytes[$0 + 3] == 10
        }
        .map { $0 + 4 }
    }
}
