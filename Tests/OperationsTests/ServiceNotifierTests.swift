import Glibc
import Synchronization
import TestSupport
import Testing

@testable import Operations
@testable import Worker

@Suite("Word to the service manager")
struct ServiceNotifierTests {
    private final class Time: Sendable {
        private let start = ContinuousClock.now
        private let passed = Mutex(Duration.zero)
        var now: ContinuousClock.Instant { start + passed.withLock { $0 } }
        func pass(_ seconds: Int) { passed.withLock { $0 += .seconds(seconds) } }
    }

    private final class Flag: Sendable {
        let isUp = Mutex(true)
    }

    @Test func `is that it is ready after the first claim, and fed only by the loop while it lives`() throws {
        let folder = try ScratchFolder()
        let manager = try NotifyListener(folder.file("notify"))
        let (time, alive) = (Time(), Flag())
        let made = ServiceNotifier(
            ["NOTIFY_SOCKET": manager.name, "WATCHDOG_USEC": "60000000", "WATCHDOG_PID": "\(getpid())"],
            isAlive: { alive.isUp.withLock { $0 } },
            now: { time.now }
        )
        let notifier = try #require(made)
        notifier.saw(.became(.working))
        #expect(manager.told == ["STATUS=waiting for the first claim"])
        notifier.saw(.queueFailed(code: "refused"))
        #expect(
            manager.told == ["WATCHDOG=1|STATUS=the queue does not answer: refused; 0 held, 0 delivered, 0 put aside"]
        )
        notifier.saw(.claimed(jobs: 2, held: 2))
        #expect(manager.told == ["READY=1|STATUS=working; 2 held, 0 delivered, 0 put aside"])
        notifier.saw(.claimed(jobs: 0, held: 2))
        #expect(manager.told == [], "nothing new is not told")
        time.pass(15)
        notifier.saw(.claimed(jobs: 0, held: 2))
        #expect(manager.told == ["WATCHDOG=1"])
        time.pass(50)
        for outcome in [JobEnding.Outcome.completed, .dead, .retried] {
            notifier.saw(
                .ended(
                    .init(
                        job: JobID("j"),
                        attempt: 1,
                        outcome: outcome,
                        code: nil,
                        took: .zero,
                        waited: .zero,
                        trace: ""
                    )
                )
            )
        }
        #expect(manager.told == [], "a job that ends is no sign that the loop lives")
        alive.isUp.withLock { $0 = false }
        notifier.saw(.queueFailed(code: "refused"))
        #expect(manager.told == ["STATUS=the queue does not answer: refused; 2 held, 1 delivered, 1 put aside"])
        notifier.saw(.became(.draining))
        notifier.saw(.became(.stopped))
        #expect(manager.told == ["STOPPING=1|STATUS=finishing what is held", "STOPPING=1|STATUS=stopped"])
    }

    @Test func `goes to a name without a file too, and without a watchdog where it is another process's`() throws {
        let manager = try NotifyListener("@knot-notify-test-\(getpid())")
        for environment in [["WATCHDOG_USEC": "60000000", "WATCHDOG_PID": "1"], [:], ["WATCHDOG_USEC": "soon"]] {
            let all = environment.merging(["NOTIFY_SOCKET": manager.name]) { $1 }
            let made = ServiceNotifier(all, isAlive: { true })
            let notifier = try #require(made)
            notifier.saw(.claimed(jobs: 0, held: 0))
            #expect(manager.told == ["READY=1|STATUS=working; 0 held, 0 delivered, 0 put aside"])
        }
    }

    @Test(arguments: [nil, "", "/", "relative", "@", "/" + String(repeating: "a", count: 200)])
    func `is nobody's where no manager listens`(socket: String?) {
        let environment = socket.map { ["NOTIFY_SOCKET": $0] } ?? [:]
        let made = ServiceNotifier(environment, isAlive: { true })
        #expect(made == nil)
    }

    @Test func `to a manager that is gone is lost, and nothing else`() throws {
        let folder = try ScratchFolder()
        let made = ServiceNotifier(["NOTIFY_SOCKET": folder.file("none")], isAlive: { true })
        let notifier = try #require(made)
        for _ in 0..<100 { notifier.saw(.claimed(jobs: 0, held: 0)) }
    }
}
