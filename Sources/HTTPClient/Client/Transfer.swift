import CCurl
import Synchronization

/// One request on its way through the loop, which holds it until it has an outcome.
@safe final class Transfer: @unchecked Sendable {
    // Proof of @unchecked Sendable: once the transfer is handed over, `continuation` is touched by whoever was given its one
    // outcome, the flag is atomic, and all else belongs to whoever has the loop's turn.
    typealias Outcome = Result<HTTPResponse, HTTPFailure>

    let request: HTTPRequest
    let url: HTTPURL
    /// The one address to connect to; nil where the name is resolved.
    private let address: IPAddress?
    let start: ContinuousClock.Instant
    let deadline: ContinuousClock.Instant
    private let cancellation: Cancellation
    private var reader: AnswerReader
    /// Requests that were sent, and whether curl wanted to send another.
    private(set) var sendings = 0
    private var isExhausted = false
    /// Resumed once, by `finish`, which the loop calls for every transfer that it was handed.
    private var continuation: CheckedContinuation<Outcome, Never>?
    /// Owned: made in `prepare`, freed in `deinit`, which comes after the handle's work.
    private var headers: UnsafeMutablePointer<curl_slist>?
    private var places: UnsafeMutablePointer<curl_slist>?

    /// Whether the caller has given up; set on any thread.
    final class Cancellation: Sendable {
        let isSet = Atomic(false)
    }

    init(
        _ request: HTTPRequest,
        to url: HTTPURL,
        at address: IPAddress?,
        deadline: ContinuousClock.Instant,
        cancellation: Cancellation,
        continuation: CheckedContinuation<Outcome, Never>
    ) {
        self.request = request
        self.url = url
        self.address = address
        self.deadline = deadline
        self.cancellation = cancellation
        self.continuation = continuation
        start = .now
        unsafe headers = nil
        unsafe places = nil
        reader = AnswerReader(request.limits, host: url.shownHost, start: start, deadline: deadline)
    }

    deinit {
        // The lists were made by the same library, and no handle uses them any more.
        unsafe curl_slist_free_all(headers)
        unsafe curl_slist_free_all(places)
    }

    var isCancelled: Bool { cancellation.isSet.load(ordering: .relaxed) }

    /// Whether this is the transfer that the caller's flag belongs to.
    func belongs(to other: Cancellation) -> Bool { cancellation === other }

    /// Gives the caller the outcome; later outcomes are ignored.
    func finish(_ outcome: Outcome) {
        continuation.take()?.resume(returning: outcome)
    }

    /// What the end of the transfer means, as curl tells it.
    func outcome(of code: CURLcode) -> Outcome {
        if let refusal = reader.refusal { return .failure(refusal) }
        if code == CURLE_OK || reader.response?.isCut == true {
            // To curl a head that breaks off is an answer.
            return reader.response.map { .success($0) } ?? .failure(failure(.reset, "it ended in its headers"))
        }
        // What was sent may have reached the service, whatever became of the connection that curl wanted to send it on again.
        if isExhausted || sendings > 0 && HTTPFailure(code, host: "").kind == .connect {
            return .failure(failure(.reset, "it ended the connection before it answered"))
        }
        // That is what curl says of a line of the head that is longer than it takes, which is far above the limits.
        if code == CURLE_OUT_OF_MEMORY { return .failure(failure(.tooLarge, "a line of its head has no end")) }
        return .failure(HTTPFailure(code, host: url.shownHost))
    }

    /// Looks whether a limit is passed; returns the instant of the next look, or the failure.
    func look(
        _ easy: EasyHandle,
        at now: ContinuousClock.Instant
    ) -> Result<ContinuousClock.Instant, HTTPFailure> {
        let next = reader.look(at: now, sent: easy.timeUntilSent, wireBytes: easy.wireBytes)
        if let next { return .success(next) }
        return .failure(reader.refusal ?? failure(.timeout, ""))
    }

    /// When to look for the first time: a connection has to be there by then.
    var firstLook: ContinuousClock.Instant { min(deadline, start + min(request.limits.connect, request.limits.total)) }

    /// Sets a handle up to send this request; the handle must not outlive this object.
    func prepare(_ easy: EasyHandle, _ clock: LoopClock) -> HTTPFailure? {
        let isPlain = request.headers.isEmpty
        guard unsafe Self.fill(&headers, with: isPlain ? [] : lines),
            unsafe Self.fill(&places, with: address.map(place) ?? [])
        else {
            return failure(.unavailable, "the system has no memory")
        }
        let isSet = unsafe easy.set(request, to: url, headers: isPlain ? easy.plainHeaders : headers, places: places)
        guard isSet else { return failure(.unavailable, "curl refused an option") }
        unsafe easy.setContext(Unmanaged.passUnretained(self).toOpaque())
        easyOfSinks = easy
        self.clock = clock
        return nil
    }

    /// What curl calls with each line of the head, and with each piece of the body; its context is the transfer.
    static let takesHead: knot_curl_sink = { bytes, size, count, context in
        unsafe Transfer.of(context)?.takeLine(UnsafeRawBufferPointer(start: bytes, count: size * count)) ?? 0
    }
    static let takesBody: knot_curl_sink = { bytes, size, count, context in
        unsafe Transfer.of(context)?.takeBody(UnsafeRawBufferPointer(start: bytes, count: size * count)) ?? 0
    }

    /// The function that curl calls before it sends the request, and before it sends it again on another connection.
    static let takesRequest: knot_curl_gate = { context, _, _, _, _ in
        unsafe Transfer.of(context)?.takeRequest() == false ? 1 : 0
    }

    private func takeRequest() -> Bool {
        isExhausted = sendings >= request.mostSendings
        if !isExhausted { sendings += 1 }
        return !isExhausted
    }

    /// Adds lines to a list; false where there is no memory.
    private static func fill(_ list: inout UnsafeMutablePointer<curl_slist>?, with lines: [String]) -> Bool {
        for line in lines {
            // The line is copied; null means that there is no memory and the list has stayed as it was.
            guard let longer = unsafe curl_slist_append(list, line) else { return false }
            unsafe list = longer
        }
        return true
    }

    /// Whatever host and port curl reads in the URL, it connects to the address: no second reading decides.
    private func place(_ address: IPAddress) -> [String] {
        switch address {
        case .v4: ["::\(address):\(url.port)"]
        case .v6: ["::[\(address)]:\(url.port)"]
        }
    }

    /// The handle that the sinks ask how much has come.
    private var easyOfSinks: EasyHandle?

    /// The loop's, which says when something came.
    private var clock: LoopClock?

    func letGoOfHandle() { easyOfSinks = nil }

    /// The lines of the head that are not curl's own.
    private var lines: [String] {
        var lines = request.headers.map { $0.value.isEmpty ? "\($0.name);" : "\($0.name): \($0.value)" }
        // Without this curl asks before it sends a large body, and waits a second for the answer.
        lines.append(EasyHandle.expectsNothing)
        if request.isPart { lines.append("Accept-Encoding: identity") }
        return lines
    }

    private static func of(_ context: UnsafeMutableRawPointer?) -> Transfer? {
        // The loop holds the transfer for as long as its handle is at work.
        unsafe context.map { unsafe Unmanaged<Transfer>.fromOpaque($0).takeUnretainedValue() }
    }

    private func takeLine(_ line: UnsafeRawBufferPointer) -> Int {
        unsafe reader.takeLine(line, at: clock?.now ?? .now) ? line.count : 0
    }

    private func takeBody(_ piece: UnsafeRawBufferPointer) -> Int {
        let wireBytes = easyOfSinks?.wireBytes ?? 0
        // Fewer bytes than there are end the transfer; an empty piece ends nothing.
        return unsafe reader.takeBody(piece, wireBytes: wireBytes, at: clock?.now ?? .now)
            ? piece.count : piece.count == 0 ? 1 : 0
    }

    private func failure(_ kind: HTTPFailure.Kind, _ detail: String) -> HTTPFailure {
        HTTPFailure(kind, host: url.shownHost, detail)
    }
}

extension HTTPRequest {
    /// Whether a part of a page is asked for, which makes no sense of a compressed page.
    var isPart: Bool { headers.contains { $0.name.lowercased() == "range" } }

    /// Headers that decide where the request ends and whom it is for: the client's own.
    private static let reserved: Set<String> = [
        "host", "content-length", "transfer-encoding", "connection", "expect", "te", "trailer", "upgrade",
        "accept-encoding", "keep-alive", "proxy-authorization", "proxy-connection",
    ]

    /// What no request may have; nil where it has nothing of the kind.
    var fault: String? {
        for header in headers {
            let isToken = header.name.utf8.allSatisfy { byte in
                (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
                    || "!#$%&'*+-.^_`|~".utf8.contains(byte)
            }
            guard !header.name.isEmpty, isToken else { return "a header's name is no word" }
            guard !Self.reserved.contains(header.name.lowercased()) else { return "\(header.name) is the client's own" }
            guard header.value.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 }) else {
                return "\(header.name) has a control character in its value"
            }
        }
        if body != nil, method != .post { return "\(method.rawValue) has no body" }
        return nil
    }
}
