import JSONDocument
import Synchronization
import Testing

@testable import Operations
@testable import Worker

@Suite("How a worker is")
struct WorkerHealthTests {
    /// A monitor with a time that stands still until it is moved.
    private final class Scene: Sendable {
        private let passed: Mutex<Duration>
        let monitor: WorkerMonitor

        init() {
            let time = Clock()
            monitor = WorkerMonitor(versions: [:], now: { time.now })
            clock = time
            passed = Mutex(.zero)
        }

        private final class Clock: Sendable {
            private let start = ContinuousClock.now
            private let passed = Mutex(Duration.zero)
            var now: ContinuousClock.Instant { start + passed.withLock { $0 } }
            func pass(_ time: Duration) { passed.withLock { $0 += time } }
        }

        private let clock: Clock

        func pass(_ seconds: Int) { clock.pass(.seconds(seconds)) }

        /// The status, and what each check says that is not well.
        func ask(_ path: String) throws -> String {
            let request = try OperationsRequest(head: Array("GET \(path) HTTP/1.1\r\n\r\n".utf8)[...])
            let answer = try #require(monitor.answer(request))
            let json = try JSONParser.parse(answer.body)
            let checks = try #require(json["checks"]?.object)
            let troubles = checks.members.filter { $0.value != "ok" }.map { "\($0.name): \($0.value.string ?? "")" }
            #expect((json["status"] == "ok") == troubles.isEmpty)
            return ([String(answer.status)] + troubles).joined(separator: "; ")
        }
    }

    @Test func `it is not ready before its first claim, though it lives`() throws {
        let scene = Scene()
        #expect(try scene.ask("/readyz") == "503; phase: it has not begun; claim: no claim yet")
        scene.monitor.saw(.became(.working))
        #expect(try scene.ask("/readyz") == "503; claim: no claim yet")
        #expect(try scene.ask("/livez") == "200")
        scene.monitor.saw(.claimed(jobs: 0, held: 0))
        #expect(try scene.ask("/readyz") == "200")
    }

    @Test func `a loop that does nothing for a minute is not alive, whatever its jobs still do`() throws {
        let scene = Scene()
        scene.monitor.saw(.became(.working))
        scene.monitor.saw(.claimed(jobs: 1, held: 1))
        scene.pass(60)
        #expect(try scene.ask("/livez") == "200")
        scene.monitor.saw(.handedOver(.init(way: "outbox", result: "delivered", code: nil, took: .zero)))
        scene.pass(1)
        #expect(try scene.ask("/livez") == "503; loop: it has done nothing for 61 s")
        #expect(!scene.monitor.isAlive)
    }

    @Test func `one that claims nothing because it has all it may hold is alive as long as it renews`() throws {
        let scene = Scene()
        scene.monitor.saw(.became(.working))
        scene.monitor.saw(.claimed(jobs: 50, held: 100))
        for _ in 0..<30 {
            scene.pass(20)
            scene.monitor.saw(.renewed(jobs: 100))
            #expect(try scene.ask("/readyz") == "200")
        }
        scene.pass(61)
        #expect(try scene.ask("/livez") == "503; loop: it has done nothing for 61 s")
    }

    @Test func `a server that restarts makes it unready, and only a long outage makes it dead`() throws {
        let scene = Scene()
        scene.monitor.saw(.became(.working))
        scene.monitor.saw(.claimed(jobs: 0, held: 0))
        for _ in 0..<15 {
            scene.pass(20)
            scene.monitor.saw(.queueFailed(code: "connection_lost"))
            #expect(try scene.ask("/livez") == "200")
            #expect(try scene.ask("/readyz") == "503; claim: the last claim failed: connection_lost")
        }
        scene.pass(20)
        scene.monitor.saw(.queueFailed(code: "connection_lost"))
        #expect(try scene.ask("/livez") == "503; queue: it has not answered for 320 s")
        scene.monitor.saw(.claimed(jobs: 0, held: 0))
        #expect(try scene.ask("/readyz") == "200")
    }

    @Test func `one that drains is alive and not ready`() throws {
        let scene = Scene()
        scene.monitor.saw(.became(.working))
        scene.monitor.saw(.claimed(jobs: 0, held: 3))
        scene.monitor.saw(.became(.draining))
        #expect(try scene.ask("/livez") == "200")
        #expect(try scene.ask("/readyz") == "503; phase: it takes nothing more and stops")
    }

    @Test func `what others found keeps it from being ready until it is mended`() throws {
        let scene = Scene()
        scene.monitor.saw(.became(.working))
        scene.monitor.saw(.claimed(jobs: 0, held: 0))
        scene.monitor.saw(obstacle: "the zones are of 2019", of: "tzdata")
        #expect(try scene.ask("/readyz") == "503; tzdata: the zones are of 2019")
        scene.monitor.saw(obstacle: nil, of: "tzdata")
        #expect(try scene.ask("/readyz") == "200")
    }

    @Test func `any other path is somebody else's`() throws {
        let request = try OperationsRequest(head: Array("GET /livez/x HTTP/1.1\r\n\r\n".utf8)[...])
        #expect(Scene().monitor.answer(request) == nil)
    }
}
