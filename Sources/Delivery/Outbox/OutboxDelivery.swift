import Digest
import FileInput
import Synchronization
package import Threads

/// Notices as files in a folder that another system reads and empties: one file for each, whole or not there.
///
/// Files whose names begin with a dot are being written, or were when a process was killed; nobody has to keep them.
package struct OutboxDelivery: NoticeDelivery {
    package let name = "outbox"
    /// The folder, which has to be there.
    package let folder: String
    /// Files that may wait in it; when nobody reads them there is no use in more.
    package let most: Int
    private let timers: DeadlineTimers
    private let room = OutboxRoom()

    package init(folder: String, most: Int = 10_000, timers: DeadlineTimers = DeadlineTimers()) {
        self.folder = folder
        self.most = most
        self.timers = timers
    }

    package func deliver(_ notice: Notice, until deadline: ContinuousClock.Instant) async -> DeliveryResult {
        let bytes = NoticeDocument.bytes(notice) + [0x0A]
        let file = Self.fileName(of: notice.id)
        let late = DeliveryResult.later(
            code: "outbox_slow",
            detail: "The disk of \(folder) did not write a file in time.",
            after: nil
        )
        return await BlockingCall.result(of: { write(bytes, to: file) }, by: deadline, timers, else: late)
    }

    /// The id, where it is a plain word; otherwise its hash, so that no id is a path.
    static func fileName(of id: NoticeID) -> String {
        let text = id.description
        let isPlain =
            (1...100).contains(text.utf8.count)
            && text.utf8.allSatisfy { byte in
                (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
                    || byte == 0x2D || byte == 0x5F
            }
        return (isPlain ? text : SHA256Digest(of: text).hex) + ".json"
    }

    private func write(_ bytes: [UInt8], to file: String) -> DeliveryResult {
        do throws(OutboxFolder.Fault) {
            let folder = try OutboxFolder(folder)
            let isThere = try folder.has(file)
            let hasPlace = isThere ? true : try room.hasPlace(of: most, counting: waiting)
            guard hasPlace else {
                return .later(
                    code: "outbox_full",
                    detail: "\(self.folder) has \(most) files that nobody has taken: start what reads them.",
                    after: .seconds(300)
                )
            }
            // One that waits and says something else was not read yet, and says what is not so any more.
            if !isThere || folder.beginning(of: file, bytes: bytes.count + 1) != bytes {
                try folder.put(bytes, as: file)
            }
            try folder.sync()
            return .delivered(receipt: file)
        } catch {
            let detail = "\(folder) \(error.words)."
            // Trying again would use up the attempts of whatever is due, and it is due until somebody has mended this.
            if error.needsMending { return .misconfigured(code: error.code, detail: detail) }
            return .later(code: error.code, detail: detail, after: nil)
        }
    }

    private func waiting() throws(OutboxFolder.Fault) -> Int {
        do throws(FileFault) {
            return try FolderContents.countOfShown(in: folder)
        } catch {
            throw Self.unreadable(error)
        }
    }

    static func names(in folder: String) throws(OutboxFolder.Fault) -> [String] {
        do throws(FileFault) { return try FolderContents(of: folder).names } catch { throw unreadable(error) }
    }

    private static func unreadable(_ fault: FileFault) -> OutboxFolder.Fault {
        OutboxFolder.Fault(code: "outbox_unreadable", words: "cannot be listed: \(fault.message)")
    }
}

/// How many files may still come before somebody has to count again: listing a folder of thousands for each new one would
/// cost more than writing it.
private final class OutboxRoom: Sendable {
    /// Other processes write into the same folder and count as well: each takes only a part of the room at a time.
    private static let parts = 16

    private let left = Mutex(0)

    /// Whether one more file may come.
    func hasPlace(
        of most: Int,
        counting waiting: () throws(OutboxFolder.Fault) -> Int
    ) throws(OutboxFolder.Fault) -> Bool {
        let isKnown = left.withLock { left in
            guard left > 0 else { return false }
            left -= 1
            return true
        }
        if isKnown { return true }
        let room = max(0, most - (try waiting()))
        left.withLock { $0 = max($0, room / Self.parts) }
        return room > 0
    }
}

/// A call that blocks, made on a thread of its own and waited for until a deadline.
enum BlockingCall {
    /// The result, or what stands for it where the call lasts longer, and then goes on by itself.
    static func result<Value: Sendable>(
        of call: @escaping @Sendable () -> Value,
        by deadline: ContinuousClock.Instant,
        _ timers: DeadlineTimers,
        else late: Value
    ) async -> Value {
        await withCheckedContinuation { continuation in
            // Resumed once, by whoever takes it: the thread or the alarm.
            let waiter = Monitor<CheckedContinuation<Value, Never>?>(continuation)
            let finish: @Sendable (Value) -> Void = { value in waiter.withLock { $0.take() }?.resume(returning: value) }
            let alarm = timers.call(at: deadline) { finish(late) }
            let started = OwnThread.start {
                let value = call()
                timers.callOff(alarm)
                finish(value)
            }
            if !started {
                timers.callOff(alarm)
                finish(late)
            }
        }
    }
}
