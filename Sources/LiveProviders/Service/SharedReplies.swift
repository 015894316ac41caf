import Digest
package import HTTPClient
import Synchronization
package import Threads

/// A sender that sends the same call once: whoever asks the same a little later has the same reply.
///
/// So two vaults in one town that ask the same share one call of a small quota, and a call that was refused is not sent
/// again by whoever tries twice. Replies are kept for minutes, in memory alone, which every service allows.
package final class SharedReplies: HTTPSender {
    /// A digest, since a request may hold a key.
    private typealias Call = SHA256Digest

    private struct Pending {
        let task: Task<Result<HTTPResponse, HTTPFailure>, Never>
        let deadline: ContinuousClock.Instant
    }

    private struct Kept {
        let reply: HTTPResponse
        let until: ContinuousClock.Instant
    }

    private struct State {
        var pending: [Call: Pending] = [:]
        var kept: [Call: Kept] = [:]
        var byteCount = 0
        var shared = 0

        mutating func keep(_ reply: HTTPResponse, of call: Call, until: ContinuousClock.Instant, most: Int) {
            guard reply.body.count <= most else { return }
            // Whatever is left out is asked again, which costs a call and nothing else.
            if byteCount + reply.body.count > most {
                kept.removeAll()
                byteCount = 0
            }
            let before = kept.updateValue(Kept(reply: reply, until: until), forKey: call)
            byteCount += reply.body.count - (before?.reply.body.count ?? 0)
        }
    }

    /// Calls belong to no run, and so to none of its threads; on the shared ones they would wait, until they are too late,
    /// for what reads vaults and offers there.
    private let executor: StageExecutor
    /// The threads of senders that have none of their own.
    package static let commonThreads = StageExecutor(threads: 2)

    private let sender: any HTTPSender
    /// How long a reply is good; nil for one that the next call may well not have.
    private let life: @Sendable (HTTPResponse) -> Duration?
    private let mostBytes: Int
    private let state = Mutex(State())

    package init(
        _ sender: any HTTPSender,
        on executor: StageExecutor = SharedReplies.commonThreads,
        mostBytes: Int = 32 << 20,
        life: @escaping @Sendable (HTTPResponse) -> Duration? = { $0.status == 200 ? .seconds(600) : nil }
    ) {
        self.sender = sender
        self.executor = executor
        self.life = life
        self.mostBytes = mostBytes
    }

    /// What somebody may wait longer than they wanted to, so that nothing is asked twice.
    private static func grace(by deadline: ContinuousClock.Instant) -> Duration {
        min(.milliseconds(250), ContinuousClock.now.duration(to: deadline) / 10)
    }

    /// How many calls had the reply of another.
    package var sharedCount: Int { state.withLock { $0.shared } }

    private enum Way {
        case known(HTTPResponse)
        case wait(Task<Result<HTTPResponse, HTTPFailure>, Never>)
    }

    package func send(
        _ request: HTTPRequest,
        by deadline: ContinuousClock.Instant
    ) async throws(HTTPFailure) -> HTTPResponse {
        // What may not be sent twice is nobody else's either, and who asks for a token means a new one.
        guard request.isIdempotent, request.isCounted else { return try await sender.send(request, by: deadline) }
        let call = Self.call(request)
        let way = state.withLock { state -> Way in
            if let kept = state.kept[call], kept.until > .now {
                state.shared += 1
                return .known(kept.reply)
            }
            // Who has much less time than the call under way would wait too long for it; runs of one batch begin within
            // moments of each other.
            if let pending = state.pending[call], pending.deadline <= deadline + Self.grace(by: deadline) {
                state.shared += 1
                return .wait(pending.task)
            }
            let task = Task(executorPreference: executor) { await self.answer(request, call, by: deadline) }
            state.pending[call] = Pending(task: task, deadline: deadline)
            return .wait(task)
        }
        switch way {
        case .known(let reply): return reply
        case .wait(let task): return try await task.value.get()
        }
    }

    /// Sends the call; it ends by its deadline, whoever still waits for it.
    private func answer(
        _ request: HTTPRequest,
        _ call: Call,
        by deadline: ContinuousClock.Instant
    ) async -> Result<HTTPResponse, HTTPFailure> {
        let answer: Result<HTTPResponse, HTTPFailure>
        do throws(HTTPFailure) {
            answer = .success(try await sender.send(request, by: deadline))
        } catch {
            answer = .failure(error)
        }
        state.withLock { state in
            if state.pending[call]?.deadline == deadline { state.pending[call] = nil }
            if case .success(let reply) = answer, !reply.isCut, let life = life(reply) {
                state.keep(reply.unread, of: call, until: .now.advanced(by: life), most: mostBytes)
            }
        }
        return answer
    }

    /// Everything that decides what is asked and by whom.
    private static func call(_ request: HTTPRequest) -> Call {
        let headers = request.headers.map { "\($0.name.lowercased()): \($0.value)" }.sorted()
        let text = "\(request.method.rawValue) \(request.url)\n" + headers.joined(separator: "\n") + "\n\n"
        return SHA256Digest(of: Array(text.utf8) + (request.body ?? []))
    }
}
