import KnotDomain
package import PostgresClient

/// Word to workers that something is due, so that they look before they would have.
///
/// It shortens a wait and nothing else: a poll finds everything, whoever has not heard. What will be due later needs no
/// word, and what is enqueued together is told of once, since notifications line up at COMMIT.
enum QueueNews {
    static let statement: SQLQuery = "select pg_catalog.pg_notify('knot_jobs', '')"

    /// Nothing where the earliest of what is put into the queue is not due soon.
    static func statements(dueAt earliest: Instant?) -> [SQLQuery] {
        guard let earliest else { return [] }
        return [
            "\(fragment: statement) where \(earliest) <= knot.clock() + interval '1 second'"
        ]
    }
}

/// Hears on a connection of its own when something is due.
package struct QueueListener: Sendable {
    /// What connecting and asking may take.
    private static let limit = Duration.seconds(10)
    /// Waits between attempts to connect, doubling.
    private static let pauses = (shortest: Duration.seconds(1), longest: Duration.seconds(60))
    /// At most so often is anybody sent to look; what comes meanwhile is one piece of news.
    private static let rest = Duration.milliseconds(100)
    /// Workers that hear the same look one after another.
    private static let spread = Duration.milliseconds(50)

    private let target: ConnectionTarget
    /// How long nothing may come before the server is asked whether it is still there.
    private let patience: Duration

    package init(_ target: ConnectionTarget, patience: Duration = .seconds(300)) {
        self.target = target
        self.patience = patience
    }

    /// Calls `look` for whatever is notified, until the task is cancelled; returns where a pooler would bring nothing.
    package func listen(_ look: @Sendable () -> Void) async {
        var pause = Self.pauses.shortest
        while !Task.isCancelled {
            switch await hear(look) {
            case .deaf: return
            case .heard: pause = Self.pauses.shortest
            case .unreachable: break
            }
            await Self.sleep(pause * Double.random(in: 0.5...1.5))
            pause = min(pause * 2, Self.pauses.longest)
        }
    }

    private enum Ending {
        /// No notification can come this way.
        case deaf
        /// It was listened to for a while.
        case heard
        case unreachable
    }

    /// Listens for as long as one connection lasts.
    private func hear(_ look: @Sendable () -> Void) async -> Ending {
        var ending = Ending.unreachable
        do throws(PostgresError) {
            let connection = try await PostgresConnection.connect(to: target, until: .now + Self.limit)
            do throws(PostgresError) {
                guard try await connection.hasSessionOfItsOwn(until: .now + Self.limit) else {
                    await connection.close()
                    return .deaf
                }
                _ = try await connection.run("listen knot_jobs", until: .now + Self.limit)
                ending = .heard
                // What was notified before it was listened to is looked for.
                look()
                try await follow(connection, look)
            } catch {
                await connection.close()
                throw error
            }
        } catch {
            // The poll goes on, and the next connection begins with a look.
        }
        return ending
    }

    /// Throws when the connection has come to its end, or the task is cancelled.
    private func follow(_ connection: PostgresConnection, _ look: @Sendable () -> Void) async throws(PostgresError) {
        while true {
            if try await connection.waitForNotification(until: .now + patience) {
                await Self.sleep(Self.spread * Double.random(in: 0...1))
                look()
                await Self.sleep(Self.rest)
            } else {
                // A line that was cut without a word is found only by asking.
                _ = try await connection.run("select 1 as one", until: .now + Self.limit)
            }
        }
    }

    /// A cancelled sleep is over at once; whoever sleeps looks for that.
    private static func sleep(_ duration: Duration) async {
        do { try await ContinuousClock().sleep(for: duration) } catch {}
    }
}
