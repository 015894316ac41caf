import Console
import HTTPClient
import KnotDomain
import LiveProviders
import PostgresClient
import Recommendation
import Synchronization
import VaultStore

/// Where replies are kept for the time when a service does not answer.
enum ReplyPlace: String, CaseIterable {
    case folder, database, none

    static let variable = "KNOT_REPLIES"

    /// `KNOT_REPLIES`; a folder of this machine where it says nothing.
    init(_ environment: Environment) throws(CommandError) {
        let written = environment[Self.variable] ?? ""
        guard let place = written.isEmpty ? .folder : ReplyPlace(rawValue: written) else {
            throw CommandError(
                .configuration,
                "it is none of \(Self.allCases.map(\.rawValue).joined(separator: ", "))",
                at: Self.variable,
                todo: "set it to one of these, or leave it out"
            )
        }
        self = place
    }
}

/// The database's door for replies: opened by the first call that needs it, once for all services.
///
/// No run fails for what is kept: a database that cannot be opened keeps nothing, and is not tried again by this process.
final class ReplyDoor: Sendable {
    private let open: @Sendable () async -> ReplyStore?
    private let opening = Mutex<Task<ReplyStore?, Never>?>(nil)

    init(_ context: CommandContext) {
        open = {
            do throws(CommandError) {
                return ReplyStore(
                    try await CommandDatabase(context).open(PoolSettings(limit: 2, idleTime: .seconds(60)))
                )
            } catch {
                return nil
            }
        }
    }

    /// Every caller waits for the one opening.
    var store: ReplyStore? {
        get async {
            let task = opening.withLock { opening in
                let task = opening ?? Task { await open() }
                opening = task
                return task
            }
            return await task.value
        }
    }
}

/// Replies that somebody else keeps: what only looks writes none and removes none.
struct ReadReplies: ReplyKeeping {
    private let base: any ReplyKeeping

    init(of base: any ReplyKeeping) { self.base = base }

    func reply(to call: String) async -> KeptReply? { await base.reply(to: call) }
    func keep(_ reply: KeptReply, of call: String) async {}
    func remove(_ call: String) async {}
}

/// Replies of one service in the database, as long as its terms allow.
struct StoredReplies: ReplyKeeping {
    let door: ReplyDoor
    let provider: String
    /// In seconds.
    let life: Int64

    init(_ door: ReplyDoor, of conduct: ServiceConduct) {
        self.door = door
        provider = conduct.capability.name.rawValue
        life = Int64(conduct.keeping / .seconds(1))
    }

    func reply(to call: String) async -> KeptReply? {
        guard let store = await door.store else { return nil }
        // What cannot be read is not there.
        guard
            let found = try? await store.reply(
                of: provider,
                to: call,
                at: ServiceClock.system.secondsSince1970()
            )
        else { return nil }
        // Nothing but JSON is kept.
        let headers = ["content-type": "application/json"]
        let reply = TapedReply(status: found.status, headers: headers, body: found.body, isCut: false, age: nil)
        return KeptReply(reply, since: found.since, tag: found.tag)
    }

    func keep(_ reply: KeptReply, of call: String) async {
        guard let store = await door.store else { return }
        let stored = StoredReply(
            status: reply.reply.status,
            body: reply.reply.body,
            tag: reply.tag,
            since: reply.since
        )
        // What cannot be written is not kept.
        try? await store.keep(stored, of: provider, to: call, for: life)
    }

    func remove(_ call: String) async {
        guard let store = await door.store else { return }
        // It is gone by its own expiry too.
        try? await store.remove(call, of: provider)
    }
}
