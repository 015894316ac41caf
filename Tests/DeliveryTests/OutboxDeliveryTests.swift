import Foundation
import JSONDocument
import TestSupport
import Testing
import Threads

@testable import Delivery

@Suite("The outbox", .onOwnThreads)
struct OutboxDeliveryTests {
    private static var soon: ContinuousClock.Instant { LastResort.end }

    private func deliver(_ notice: Notice, to folder: String, most: Int = 100) async -> DeliveryResult {
        await OutboxDelivery(folder: folder, most: most).deliver(notice, until: Self.soon)
    }

    /// A job that waits uses its attempts up and is put aside: by one wrong setting all that is due would be lost.
    @Test func `takes nothing at all where there is no folder, and says so`() async throws {
        let folder = try ScratchFolder()
        let result = await deliver(.invented(), to: folder.file("none"))
        #expect(result.short == "misconfigured outbox_missing")
        #expect(result.detail.contains(folder.file("none")) && result.detail.contains("make it"))
        let file = try folder.write("", to: "file")
        #expect(await deliver(.invented(), to: file).short == "misconfigured outbox_missing")
    }

    @Test(.enabled("only root can make a small disk") { geteuid() == 0 })
    func `waits where the disk is full, leaves no part behind, and goes on once there is room`() async throws {
        let folder = try ScratchFolder()
        try mount(folder, "size=16k")
        defer { shell("umount", folder.path) }
        shell("dd", "if=/dev/zero", "of=\(folder.file(".filler"))", "bs=4k", "count=16", "status=none")
        #expect(await deliver(.invented(), to: folder.path).short == "later outbox_disk_full")
        #expect(try folder.names == [".filler"])
        try FileManager.default.removeItem(atPath: folder.file(".filler"))
        #expect(await deliver(.invented(), to: folder.path).short == "delivered")
    }

    @Test(.enabled("only root can make a disk that is only read") { geteuid() == 0 })
    func `takes nothing at all where nothing may be written`() async throws {
        let folder = try ScratchFolder()
        try mount(folder, "ro")
        defer { shell("umount", folder.path) }
        #expect(await deliver(.invented(), to: folder.path).short == "misconfigured outbox_not_permitted")
    }

    @Test func `a notice is one file with all that another system needs, and not the device's token`() async throws {
        let folder = try ScratchFolder()
        let result = await deliver(.invented(), to: folder.path)
        let name = "3f2c8d1e-0a4b-4c5d-8e6f-112233445566.json"
        #expect(result == .delivered(receipt: name))
        #expect(try folder.names == [name])
        let text = try String(contentsOfFile: folder.file(name), encoding: .utf8)
        let expected: JSONValue = [
            "schema": "knot.notice/1", "id": "3f2c8d1e-0a4b-4c5d-8e6f-112233445566", "user_id": "user-canary",
            "vault_id": "vault-canary", "title": "Ana: Birthday in 3 days", "body": "Ideas: Pottery class · A lamp",
            "expires": "2096-10-02T07:06:40Z",
            "occasions": [
                [
                    "milestone_id": "milestone-canary", "name": "Birthday", "day": "2026-11-23", "days_before": 3,
                    "run_id": "run-canary",
                ]
            ],
            "choices": [
                ["id": "c_17", "kind": "experience", "title": "Pottery class"],
                ["id": "c_18", "kind": "gift", "title": "A lamp"],
            ],
        ]
        #expect(try JSONParser.parse(text) == expected)
    }

    @Test func `the same id twice is one file that says what is so by now, until somebody takes it`() async throws {
        let folder = try ScratchFolder()
        _ = await deliver(.invented(), to: folder.path)
        let name = try #require(try folder.names.first)
        func number() throws -> Int? {
            try FileManager.default.attributesOfItem(atPath: folder.file(name))[.systemFileNumber] as? Int
        }
        let first = try number()
        #expect(await deliver(.invented(), to: folder.path) == .delivered(receipt: name))
        #expect(try number() == first, "the same words are not written again")
        #expect(await deliver(.invented(body: "Ideas: others"), to: folder.path) == .delivered(receipt: name))
        #expect(try folder.names == [name])
        #expect(try String(contentsOfFile: folder.file(name), encoding: .utf8).contains("Ideas: others"))
        try FileManager.default.removeItem(atPath: folder.file(name))
        #expect(await deliver(.invented(), to: folder.path) == .delivered(receipt: name))
        #expect(try folder.names == [name])
    }

    @Test func `many that write the same notices at once leave one whole file of each`() async throws {
        let folder = try ScratchFolder()
        let delivery = OutboxDelivery(folder: folder.path)
        await withTaskGroup { group in
            for number in 0..<200 {
                group.addTask {
                    let result = await delivery.deliver(.invented(id: "n\(number % 10)"), until: Self.soon)
                    #expect(result == .delivered(receipt: "n\(number % 10).json"))
                }
            }
        }
        #expect(try folder.names == (0..<10).map { "n\($0).json" })
        for name in try folder.names {
            let text = try String(contentsOfFile: folder.file(name), encoding: .utf8)
            #expect(try JSONParser.parse(text)["id"]?.string.map { $0 + ".json" } == name)
        }
    }

    @Test func `takes no more files than it may, but still one that waits already`() async throws {
        let folder = try ScratchFolder()
        for number in 0..<2 {
            #expect(await deliver(.invented(id: "n\(number)"), to: folder.path, most: 2).short == "delivered")
        }
        // What a killed process left counts for nothing.
        _ = try folder.write("{", to: ".n7.json.1.2.part")
        let full = await deliver(.invented(id: "n2"), to: folder.path, most: 2)
        #expect(full.short == "later outbox_full" && full.wait == .seconds(300))
        #expect(await deliver(.invented(id: "n0"), to: folder.path, most: 2).short == "delivered")
        try FileManager.default.removeItem(atPath: folder.file("n1.json"))
        #expect(await deliver(.invented(id: "n2"), to: folder.path, most: 2).short == "delivered")
    }

    @Test(arguments: ["../../up", "/etc/passwd", "", ".", "a b", "é", String(repeating: "a", count: 300), "x\u{0}y"])
    func `an id is no path`(id: String) async throws {
        let folder = try ScratchFolder()
        #expect(await deliver(.invented(id: id), to: folder.path).short == "delivered")
        let name = try #require(try folder.names.first)
        #expect(name.count == 69 && name.hasSuffix(".json"))
        #expect(await deliver(.invented(id: id + "x"), to: folder.path).short == "delivered")
        #expect(try folder.names.count == 2)
    }

    @Test func `a call that blocks is not waited for beyond the deadline`() async {
        let gate = Monitor(false)
        let timers = DeadlineTimers()
        let result = await BlockingCall.result(
            of: { gate.wait { $0 ? .done("in time") : .sleep(until: nil) } },
            by: .now + .milliseconds(20),
            timers,
            else: "late"
        )
        #expect(result == "late")
        gate.withLock { $0 = true }
        gate.broadcast()
        let next = await BlockingCall.result(of: { "in time" }, by: LastResort.end, timers, else: "late")
        #expect(next == "in time")
    }

    private func mount(_ folder: ScratchFolder, _ options: String) throws {
        guard shell("mount", "-t", "tmpfs", "-o", options, "none", folder.path) else {
            try Test.cancel("this container may not mount a disk")
        }
    }

    /// Whether the command succeeds.
    @discardableResult private func shell(_ words: String...) -> Bool {
        let process = Process()
        process.executableURL = URL(filePath: "/bin/\(words[0])")
        process.arguments = Array(words.dropFirst())
        process.standardError = FileHandle.nullDevice
        do { try process.run() } catch { return false }
        process.waitUntilExit()
        return process.terminationStatus == 0
    }
}
