import Foundation
import JSONDocument
import KnotDomain
import Synchronization
import TestSupport
import Testing

@testable import Operations

@Suite("The operators' page", .onOwnThreads)
struct OperationsPageTests {
    private static let hostile =
        "</script><script>document.title='owned'</script><img src=x onerror=alert(1)>&\u{202E}gpj.exe"

    private static let overview = OperationsOverview(
        now: Instant(millisecondsSinceEpoch: 1_795_320_000_000),
        days: (0..<15).map {
            .init(day: CivilDate(daysSinceEpoch: 20_779 + $0), waiting: $0 * 70_000, completed: 3, failed: 1)
        },
        states: [.init(state: "available", jobs: 100_000, due: 1_204, oldestDue: .seconds(412))],
        workers: [.init(name: "9f8c6a52-2f0e-4a3c-9d3f-1c5b7e0a4d21", held: 16, overdue: 2, leaseLeft: .seconds(-40))],
        failures: [
            .init(
                job: "3b0d6c1e-77a1-8e52-9b1c-0a9f4be1c2d3",
                state: "dead",
                code: "webhook_status_401",
                detail: hostile,
                attempts: 12,
                at: Instant(millisecondsSinceEpoch: 1_795_320_000_000)
            )
        ],
        sets: [
            .init(
                at: Instant(millisecondsSinceEpoch: 1_795_320_000_000),
                occasion: "birthday",
                outcome: "short",
                titles: [hostile, "A lamp"],
                nodes: [
                    .init(
                        name: "yelp",
                        state: "succeeded",
                        start: 0.5,
                        took: 412.5,
                        incoming: nil,
                        outgoing: 1_200,
                        after: []
                    ),
                    .init(
                        name: "budget",
                        state: "succeeded",
                        start: 412.5,
                        took: 2.5,
                        incoming: 1_200,
                        outgoing: 300,
                        after: ["yelp"]
                    ),
                    .init(
                        name: hostile,
                        state: "timed_out",
                        start: 1.5,
                        took: 1_500.5,
                        incoming: nil,
                        outgoing: nil,
                        after: []
                    ),
                    .init(
                        name: "never",
                        state: "skipped",
                        start: nil,
                        took: nil,
                        incoming: nil,
                        outgoing: nil,
                        after: []
                    ),
                ]
            )
        ],
        providers: [
            .init(name: "yelp", asked: 200, failed: 30, took: 412.5, code: hostile, left: 12, quota: 500),
            .init(name: "amazon", asked: 0, failed: 0, took: nil, code: nil, left: nil, quota: nil),
        ]
    )

    private func request(_ path: String, _ authorization: String? = nil) throws -> OperationsRequest {
        let line = authorization.map { "Authorization: \($0)\r\n" } ?? ""
        return try OperationsRequest(head: Array("GET \(path) HTTP/1.1\r\n\(line)\r\n".utf8)[...])
    }

    private func text(_ answer: OperationsAnswer) -> String { String(decoding: answer.body, as: UTF8.self) }

    @Test func `runs its own script and style and nothing else, by a word of each time`() throws {
        let page = OperationsPage(.anybody)
        let answers = try [page.answer(request("/")), page.answer(request("/"))]
        let policies = answers.map { $0.headers["Content-Security-Policy"] ?? "" }
        #expect(policies[0] != policies[1])
        for (answer, policy) in zip(answers, policies) {
            let nonce = try #require(policy.firstMatch(of: #/script-src 'nonce-([0-9a-f]{64})'/#)?.output.1)
            #expect(policy.hasPrefix("default-src 'none'; ") && !policy.contains("unsafe"))
            let text = text(answer)
            #expect(text.matches(of: #/nonce="([^"]*)"/#).map(\.output.1) == [nonce, nonce])
            #expect(!text.contains("@NONCE@") && !text.contains("@FIRST@"))
        }
    }

    @Test func `a stranger's text ends no element and no event`() throws {
        let page = OperationsPage(.anybody)
        let event = String(decoding: page.take(.success(Self.overview)), as: UTF8.self)
        #expect(event.hasPrefix("event: overview\ndata: {") && event.hasSuffix("}\n\n"))
        #expect(event.split(separator: "\n", omittingEmptySubsequences: false).count == 4)
        let document = text(page.answer(try request("/")))
        #expect(document.ranges(of: "</script>").count == 2, "the page's own two")
        let json = try #require(document.firstMatch(of: #/id="first">([^<]*)</#)?.output.1)
        #expect(try JSONParser.parse(String(json)) == Self.overview.json)
    }

    @Test func `a stream begins with what is known, and says what is the matter`() throws {
        let page = OperationsPage(.anybody)
        #expect(text(page.answer(try request("/events"))) == "retry: 2000\n\n")
        #expect(page.answer(try request("/overview.json")).status == 503)
        _ = page.take(.success(Self.overview))
        _ = page.take(.failure(OverviewFailure("The queue cannot be read:\n\"gone\"")))
        let stream = page.answer(try request("/events"))
        let begin = text(stream)
        #expect(stream.isStream && begin.contains("event: overview\n"))
        #expect(begin.hasSuffix("event: trouble\ndata: \"The queue cannot be read:\\n\\\"gone\\\"\"\n\n"))
        _ = page.take(.success(Self.overview))
        #expect(!text(page.answer(try request("/events"))).contains("trouble"))
        #expect(try JSONParser.parse(page.answer(try request("/overview.json")).body) == Self.overview.json)
    }

    @Test(arguments: [
        (nil, 401), ("", 401), ("Bearer", 401), ("Bearer a token that is lon", 401),
        ("Bearer a token that is long", 200),
        ("bearer a token that is long", 200), ("Bearer a token that is long ", 401),
        // Any name, and the token as the password.
        ("Basic b3BlcmF0b3I6YSB0b2tlbiB0aGF0IGlzIGxvbmc=", 200), ("Basic OmEgdG9rZW4gdGhhdCBpcyBsb25n", 200),
        ("Basic YSB0b2tlbiB0aGF0IGlzIGxvbmc=", 401), ("Basic b3A6d3Jvbmc=", 401), ("Basic %%%=", 401),
        ("Digest a token that is long", 401),
    ])
    func `where it has a token, nothing of it is for anybody else`(authorization: String?, status: Int) throws {
        let page = OperationsPage(.whoever(has: "a token that is long"))
        _ = page.take(.success(Self.overview))
        for path in ["/", "/events", "/overview.json"] {
            let answer = page.answer(try request(path, authorization))
            #expect(answer.status == status)
            if status == 401 {
                #expect(
                    answer.headers["WWW-Authenticate"]?.hasPrefix("Basic ") == true && !text(answer).contains("lamp")
                )
            }
        }
    }

    private static let browser = ["/usr/bin/chromium", "/usr/bin/chromium-browser"].first {
        FileManager.default.isExecutableFile(atPath: $0)
    }

    @Test(.enabled("there is no Chromium here; set-up installs it") { browser != nil })
    func `a browser shows strangers' texts as texts, and asks nobody else`() throws {
        let page = OperationsPage(.anybody)
        _ = page.take(.success(Self.overview))
        let asked = Mutex<[String]>([])
        let server = try OperationsServer(at: .loopback) { request in
            asked.withLock { $0.append(request.path) }
            return page.answer(request)
        }
        let folder = try ScratchFolder()
        let process = Process()
        process.executableURL = URL(filePath: Self.browser ?? "")
        process.arguments = [
            "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
            "--user-data-dir=\(folder.path)/profile", "--enable-logging=stderr", "--dump-dom",
            "http://127.0.0.1:\(server.port)/",
        ]
        let (output, log) = (folder.file("dom"), folder.file("log"))
        for path in [output, log] { _ = FileManager.default.createFile(atPath: path, contents: nil) }
        process.standardOutput = try FileHandle(forWritingTo: URL(filePath: output))
        process.standardError = try FileHandle(forWritingTo: URL(filePath: log))
        process.standardInput = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        let dom = try String(contentsOfFile: output, encoding: .utf8)
        #expect(dom.contains("<title>Knot: the queue</title>") && !dom.contains("<img"))
        let shown =
            "&lt;/script&gt;&lt;script&gt;document.title='owned'&lt;/script&gt;&lt;img src=x onerror=alert(1)&gt;&amp;gpj.exe"
        #expect(dom.contains("<li>\(shown)</li>"))
        #expect(dom.contains("knot-recommend jobs retry --job 3b0d6c1e-77a1-8e52-9b1c-0a9f4be1c2d3"))
        #expect(dom.contains("100,000") && dom.contains(">40 s over<"))
        #expect(dom.contains("30 (15 %)") && dom.contains("12 of 500"))
        #expect(dom.contains("1.5 s, 3 nodes, 900 dropped") && dom.contains("1,200 → 300"))
        #expect(dom.contains("after yelp") && dom.contains(">timed_out<") && !dom.contains(">never<"))
        let console = try String(contentsOfFile: log, encoding: .utf8).split(separator: "\n").filter {
            $0.contains("CONSOLE")
        }
        #expect(console.isEmpty)
        #expect(Set(asked.withLock { $0 }).subtracting(["/", "/events", "/favicon.ico"]).isEmpty)
    }
}

@Suite("Looking at the queue for the page", .onOwnThreads)
struct OperationsWatchTests {
    /// Counts how often it is asked.
    private final class CountedSource: OverviewSource {
        let looks = Mutex(0)

        func overview(
            until deadline: ContinuousClock.Instant
        ) async -> Result<OperationsOverview, OverviewFailure> {
            looks.withLock { $0 += 1 }
            return .failure(OverviewFailure("not now"))
        }
    }

    @Test func `goes on while somebody looks, each of whom is told, and ends with its task`() async {
        let source = CountedSource()
        let watch = OperationsWatch(source, OperationsPage(.anybody), interval: .milliseconds(1))
        let told = AsyncStream<[UInt8]>.makeStream()
        let task = Task { await watch.run(streams: { 1 }) { told.continuation.yield($0) } }
        var events = 0
        for await event in told.stream {
            #expect(String(decoding: event, as: UTF8.self) == "event: trouble\ndata: \"not now\"\n\n")
            events += 1
            if events == 5 { break }
        }
        task.cancel()
        await task.value
        #expect(source.looks.withLock { $0 } >= 5)
    }

    @Test func `leaves the database alone while nobody looks`() async {
        let source = CountedSource()
        let watch = OperationsWatch(
            source,
            OperationsPage(.anybody),
            interval: .milliseconds(1),
            attention: .zero
        )
        let turns = AsyncStream<Void>.makeStream()
        let task = Task {
            await watch.run(streams: {
                turns.continuation.yield()
                return 0
            }) { _ in }
        }
        var count = 0
        for await _ in turns.stream {
            count += 1
            if count == 5 { break }
        }
        task.cancel()
        await task.value
        #expect(source.looks.withLock { $0 } == 0)
    }
}
