import FileInput
import Foundation
import HTTPClient
import JSONDocument
import LoopbackServer
import Synchronization
import TestSupport
import Testing
import Tracing

/// Spans for tests, and where they go.
enum SpanScene {
    static let trace = TraceID("4bf92f3577b34da6a3ce929d0e0e4736")
    static let resource = SpanDocument.Resource(service: "knot-recommend", version: "1.2", instance: "i-1")

    /// A trace with a job, a call under it that failed, and a notice with a link to another trace.
    static func spans() throws -> [Span] {
        let trace = try #require(trace)
        let (job, call) = (trace.root, trace.root.part("call"))
        let moment = UnixTime(nanoseconds: 1_778_324_400_123_456_789)
        var failed = Span(
            "GET",
            .client,
            at: call,
            under: job.span,
            from: moment,
            to: moment + .milliseconds(250),
            [.text("server.address", "example.org"), .count("http.response.status_code", 503)]
        )
        failed.status = .error("503")
        var notice = Span("deliver outbox", .client, at: job.part("notice"), under: job.span, from: moment, to: moment)
        notice.links = [SpanPlace.new]
        notice.status = .ok
        let whole = Span(
            "process reminders",
            .consumer,
            at: job,
            under: nil,
            from: moment,
            to: moment + .seconds(2),
            [.seconds("knot.job.waited", .milliseconds(1_250)), SpanAttribute("knot.degraded", .flag(true))]
        )
        return [whole, failed, notice]
    }

    static func spans(_ count: Int) throws -> [Span] {
        let first = try #require(try spans().first)
        return Array(repeating: first, count: count)
    }
}

/// Keeps documents, and holds them up where a test wants it.
private final class KeptDocuments: SpanCarrier {
    private let state = Mutex<[Int]>([])
    private let gate: Mutex<Bool>
    private let lost: Int

    init(isOpen: Bool = true, losing lost: Int = 0) {
        gate = Mutex(isOpen)
        self.lost = lost
    }

    var sizes: [Int] { state.withLock { $0 } }

    func open() { gate.withLock { $0 = true } }

    func carry(_ document: [UInt8], spans: Int, by deadline: ContinuousClock.Instant) async -> Int {
        while !gate.withLock({ $0 }) { await Task.yield() }
        state.withLock { $0.append(spans) }
        return lost
    }
}

@Suite struct SpanDocumentTests {
    /// Hexadecimal ids, moments as texts, enumerations as numbers: where OTLP/JSON differs from other JSON of protobuf.
    @Test func `has the shape that OTLP asks of JSON`() throws {
        let document = try JSONParser.parse(SpanDocument(SpanScene.resource).bytes(try SpanScene.spans()))
        let resource = try #require(document["resourceSpans"]?.array?.first)
        #expect(
            resource["resource"]?["attributes"]?.array?.first == [
                "key": "service.name", "value": ["stringValue": "knot-recommend"],
            ]
        )
        let spans = try #require(resource["scopeSpans"]?.array?.first?["spans"]?.array)
        #expect(spans.count == 3)
        #expect(spans[0]["traceId"]?.string == "4bf92f3577b34da6a3ce929d0e0e4736")
        #expect(spans[0]["parentSpanId"] == nil)
        #expect(spans[0]["spanId"]?.string?.count == 16)
        #expect(spans[1]["parentSpanId"] == spans[0]["spanId"])
        #expect(spans.map { $0["kind"]?.int } == [5, 3, 3])
        #expect(spans[1]["startTimeUnixNano"]?.string == "1778324400123456789")
        #expect(spans[1]["endTimeUnixNano"]?.string == "1778324400373456789")
        #expect(spans[1]["status"] == ["code": 2, "message": "503"])
        #expect(
            spans[1]["attributes"]?.array?.last == [
                "key": "http.response.status_code", "value": ["intValue": "503"],
            ]
        )
        #expect(spans[2]["links"]?.array?.count == 1)
    }

    /// The reader is Google's, with the definitions of OpenTelemetry: it knows every field, and refuses what it does not know.
    @Test(.enabled(if: SpanReader.isHere, Comment(rawValue: SpanReader.absence)))
    func `is read by an independent reader, field by field`() async throws {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("spans-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: file) }
        try Data(SpanDocument(SpanScene.resource).bytes(try SpanScene.spans()) + [0x0A]).write(to: file)
        let read = try SpanReader.read(file)
        #expect(read["spans"]?.int == 3 && read["services"] == ["knot-recommend"])
        #expect(read["kinds"] == ["SPAN_KIND_CLIENT", "SPAN_KIND_CONSUMER"])
        #expect(read["statuses"] == ["STATUS_CODE_ERROR", "STATUS_CODE_OK", "STATUS_CODE_UNSET"])
        #expect(read["orphans"]?.int == 0 && read["backwards"]?.int == 0)
        try Data("{\"resourceSpans\":[{\"scopeSpan\":[]}]}\n".utf8).write(to: file)
        #expect(throws: (any Error).self) { try SpanReader.read(file) }
    }

    @Test(arguments: ["", "4bf9", "00000000000000000000000000000000", "4BF92F3577B34DA6A3CE929D0E0E4736"])
    func `no other text is a trace's id`(_ text: String) {
        #expect(TraceID(text) == nil)
    }
}

@Suite struct SpanExporterTests {
    @Test func `what there is no room for is lost and counted, and nobody waits`() async throws {
        let carrier = KeptDocuments(isOpen: false)
        var limits = SpanExporter.Limits()
        (limits.waiting, limits.together) = (100, 10)
        let exporter = SpanExporter(SpanScene.resource, to: carrier, limits)
        let carrying = Task { await exporter.run() }
        let spans = try SpanScene.spans(1)
        for _ in 0..<10_000 { exporter.take(spans) }
        #expect(exporter.counts.lost >= 10_000 - 110)
        carrier.open()
        exporter.finish()
        await carrying.value
        #expect(exporter.counts.lost + exporter.counts.exported == 10_000)
        #expect(carrier.sizes.reduce(0, +) == exporter.counts.exported)
        #expect(carrier.sizes.allSatisfy { $0 <= 10 })
    }

    @Test func `a few wait a moment for others, and go on without them`() async throws {
        let carrier = KeptDocuments()
        var limits = SpanExporter.Limits()
        limits.patience = .milliseconds(20)
        let exporter = SpanExporter(SpanScene.resource, to: carrier, limits)
        let carrying = Task { await exporter.run() }
        exporter.take(try SpanScene.spans())
        while carrier.sizes.isEmpty { await Task.yield() }
        #expect(carrier.sizes == [3])
        exporter.finish()
        await carrying.value
    }

    @Test func `what its carrier does not bring is lost`() async throws {
        let exporter = SpanExporter(SpanScene.resource, to: KeptDocuments(losing: 2))
        exporter.take(try SpanScene.spans())
        exporter.finish()
        await exporter.run()
        #expect(exporter.counts.exported == 1 && exporter.counts.lost == 2)
    }
}

@Suite struct SpanFileTests {
    private func withFile(_ body: (String) async throws -> Void) async throws {
        let folder = try ScratchFolder()
        try await body(folder.path + "/spans.jsonl")
        withExtendedLifetime(folder) {}
    }

    private func lines(_ path: String) throws -> [String] {
        try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").map(String.init)
    }

    @Test func `several writers append whole lines`() async throws {
        try await withFile { path in
            let files = try (0..<4).map { _ in try SpanFile(path) }
            let document = SpanDocument(SpanScene.resource).bytes(try SpanScene.spans(100))
            await withTaskGroup(of: Void.self) { group in
                for file in files {
                    group.addTask {
                        for _ in 0..<25 { _ = await file.carry(document, spans: 100, by: LastResort.end) }
                    }
                }
            }
            #expect(try lines(path).count == 100)
            for line in try lines(path) { #expect(Array(line.utf8) == document) }
        }
    }

    @Test func `a line that was cut short is ended before the next`() async throws {
        try await withFile { path in
            try Data("{\"resourceSp".utf8).write(to: URL(fileURLWithPath: path))
            let file = try SpanFile(path)
            let document = SpanDocument(SpanScene.resource).bytes(try SpanScene.spans())
            #expect(await file.carry(document, spans: 3, by: .now) == 0)
            #expect(try lines(path) == ["{\"resourceSp", String(decoding: document, as: UTF8.self)])
        }
    }

    @Test(arguments: ["/", "/proc/none/spans", "/dev/null"])
    func `what is no file is refused at once`(_ path: String) {
        #expect(throws: SpanFile.Refusal.self) { try SpanFile(path) }
    }

    @Test func `is for its owner alone`() async throws {
        try await withFile { path in
            _ = try SpanFile(path)
            let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
            #expect(mode == 0o600)
        }
    }
}

@Suite struct SpanEndpointTests {
    private func lost(
        _ answer: @escaping LoopbackServer.Answer,
        by limit: Duration = LastResort.limit
    ) async throws -> (lost: Int, server: LoopbackServer) {
        let server = try LoopbackServer(answer)
        let endpoint = SpanEndpoint(
            url: SpanEndpoint.place(of: try HTTPURL(server.url)),
            headers: [HTTPHeader("Authorization", "Bearer ", secret: Secret("key-5f1e"))],
            sender: try HTTPClient()
        )
        let document = SpanDocument(SpanScene.resource).bytes(try SpanScene.spans())
        let lost = await endpoint.carry(document, spans: 3, by: .now + limit)
        return (lost, server)
    }

    @Test func `a collector gets a POST of JSON below its address, with the operator's headers`() async throws {
        let sent = try await lost { _ in .json("{}") }
        #expect(sent.lost == 0)
        let request = try #require(sent.server.requests.first)
        #expect(request.method == "POST" && request.target == "/v1/traces")
        #expect(request.header("content-type") == "application/json")
        #expect(request.header("authorization") == "Bearer key-5f1e")
        #expect(try JSONParser.parse(request.body)["resourceSpans"] != nil)
    }

    @Test func `what a collector rejects is lost`() async throws {
        let sent = try await lost { _ in
            .json("{\"partialSuccess\":{\"rejectedSpans\":\"2\",\"errorMessage\":\"no\"}}")
        }
        #expect(sent.lost == 2)
    }

    @Test func `a busy collector is asked again, a few times`() async throws {
        let calls = Mutex(0)
        let sent = try await lost { _ in
            let number = calls.withLock { calls in
                calls += 1
                return calls
            }
            return number == 1
                ? LoopbackReply(503, headers: [("Retry-After", "0")]) : .json("{}")
        }
        #expect(sent.lost == 0 && sent.server.counts.requests == 2)
        let never = try await lost { _ in LoopbackReply(429, headers: [("Retry-After", "0")]) }
        #expect(never.lost == 3 && never.server.counts.requests == 3)
    }

    @Test func `one that refuses for good, hangs or is not there costs its spans and no more time than is given`()
        async throws
    {
        #expect(try await lost { _ in LoopbackReply(400) }.lost == 3)
        let hung = try await lost({ _ in LoopbackReply([.hang]) }, by: .milliseconds(300))
        #expect(hung.lost == 3)
        let gone = SpanEndpoint(url: "http://127.0.0.1:1/v1/traces", sender: try HTTPClient())
        #expect(await gone.carry([], spans: 3, by: .now + .milliseconds(300)) == 3)
    }
}
