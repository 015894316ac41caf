import Synchronization

/// Replies kept in this process, the latest before the earlier ones once there are too many.
package final class ReplyMemory: ReplyKeeping {
    private struct State {
        var replies: [String: (kept: KeptReply, turn: Int)] = [:]
        var byteCount = 0
        var turn = 0

        mutating func remove(_ call: String) {
            guard let gone = replies.removeValue(forKey: call) else { return }
            byteCount -= gone.kept.reply.body.count
        }
    }

    private let mostBytes: Int
    private let state = Mutex(State())

    package init(mostBytes: Int = 16 << 20) {
        self.mostBytes = mostBytes
    }

    package var byteCount: Int { state.withLock { $0.byteCount } }

    package func reply(to call: String) -> KeptReply? { state.withLock { $0.replies[call]?.kept } }

    package func keep(_ reply: KeptReply, of call: String) {
        state.withLock { state in
            state.remove(call)
            guard reply.reply.body.count <= mostBytes / 4 else { return }
            state.turn += 1
            state.replies[call] = (reply, state.turn)
            state.byteCount += reply.reply.body.count
            guard state.byteCount > mostBytes else { return }
            // A quarter goes at once, so that the rest need not be sorted for each that comes.
            for (oldest, _) in state.replies.sorted(by: { $0.value.turn < $1.value.turn }) {
                guard state.byteCount > mostBytes / 4 * 3 else { break }
                state.remove(oldest)
            }
        }
    }

    package func remove(_ call: String) { state.withLock { $0.remove(call) } }
}
