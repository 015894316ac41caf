package import JSONDocument
package import KnotDomain

/// What an operator wants to see of the queue and of those who work on it, at one moment: no hint, and of choices titles only.
package struct OperationsOverview: Sendable, Equatable {
    /// The database's clock.
    package let now: Instant
    /// Today and the days after it, those without anything too.
    package let days: [Day]
    package let states: [QueueState]
    package let workers: [Worker]
    /// The latest first.
    package let failures: [Failure]
    /// The latest first.
    package let sets: [StoredSet]
    /// By name.
    package let providers: [Provider]

    /// What is due on a day of UTC.
    package struct Day: Sendable, Equatable {
        package let day: CivilDate
        package let waiting: Int
        package let completed: Int
        package let failed: Int

        package init(day: CivilDate, waiting: Int, completed: Int, failed: Int) {
            self.day = day
            self.waiting = waiting
            self.completed = completed
            self.failed = failed
        }
    }

    /// Jobs of one state.
    package struct QueueState: Sendable, Equatable {
        package let state: String
        package let jobs: Int
        /// Of these, those whose moment has come.
        package let due: Int
        /// How long the oldest of those has waited; nil where none does.
        package let oldestDue: Duration?

        package init(state: String, jobs: Int, due: Int, oldestDue: Duration?) {
            self.state = state
            self.jobs = jobs
            self.due = due
            self.oldestDue = oldestDue
        }
    }

    /// Whoever holds jobs.
    package struct Worker: Sendable, Equatable {
        /// Nil where this login may not see who it is; its jobs are then counted together with those of others.
        package let name: String?
        package let held: Int
        /// Of these, those whose lease has run out.
        package let overdue: Int
        /// Until the first of its leases runs out; negative where it has.
        package let leaseLeft: Duration

        package init(name: String?, held: Int, overdue: Int, leaseLeft: Duration) {
            self.name = name
            self.held = held
            self.overdue = overdue
            self.leaseLeft = leaseLeft
        }
    }

    /// A job that came to nothing, for now or for good.
    package struct Failure: Sendable, Equatable {
        package let job: String
        package let state: String
        package let code: String
        package let detail: String
        package let attempts: Int
        /// When it is tried again, or was given up.
        package let at: Instant

        package init(job: String, state: String, code: String, detail: String, attempts: Int, at: Instant) {
            self.job = job
            self.state = state
            self.code = code
            self.detail = detail
            self.attempts = attempts
            self.at = at
        }

        /// The command that mends it, or shows more where nothing has to be mended.
        package var command: String {
            state == "dead" ? "knot-recommend jobs retry --job \(job)" : "knot-recommend jobs show --job \(job)"
        }
    }

    /// A set that was chosen.
    package struct StoredSet: Sendable, Equatable {
        package let at: Instant
        package let occasion: String
        package let outcome: String
        /// In their order; these are strangers' texts.
        package let titles: [String]
        /// The nodes of its run in the pipeline's order; none of a run that kept no times.
        package let nodes: [Node]

        package init(at: Instant, occasion: String, outcome: String, titles: [String], nodes: [Node] = []) {
            self.at = at
            self.occasion = occasion
            self.outcome = outcome
            self.titles = titles
            self.nodes = nodes
        }
    }

    package init(
        now: Instant,
        days: [Day],
        states: [QueueState],
        workers: [Worker],
        failures: [Failure],
        sets: [StoredSet],
        providers: [Provider] = []
    ) {
        self.now = now
        self.days = days
        self.states = states
        self.workers = workers
        self.failures = failures
        self.sets = sets
        self.providers = providers
    }
}

/// Where an overview comes from.
package protocol OverviewSource: Sendable {
    /// Reads it by the deadline; the failure is one sentence that an operator may see.
    func overview(until deadline: ContinuousClock.Instant) async -> Result<OperationsOverview, OverviewFailure>
}

/// Why there is no overview.
package struct OverviewFailure: Error, Sendable, Equatable, CustomStringConvertible {
    package let description: String

    package init(_ description: String) { self.description = description }
}

extension OperationsOverview {
    package var json: JSONValue {
        [
            "schema": "knot.operations/1",
            "now": .string(now.description),
            "days": .array(
                days.map {
                    [
                        "day": .string($0.day.description), "waiting": .integer($0.waiting),
                        "completed": .integer($0.completed), "failed": .integer($0.failed),
                    ]
                }
            ),
            "states": .array(
                states.map {
                    [
                        "state": .string($0.state), "jobs": .integer($0.jobs), "due": .integer($0.due),
                        "oldest_due_seconds": JSONValue($0.oldestDue.map { Int($0.components.seconds) }),
                    ]
                }
            ),
            "workers": .array(
                workers.map {
                    [
                        "worker": JSONValue($0.name), "held": .integer($0.held), "overdue": .integer($0.overdue),
                        "lease_left_seconds": .integer(Int($0.leaseLeft.components.seconds)),
                    ]
                }
            ),
            "failures": .array(
                failures.map {
                    [
                        "job": .string($0.job), "state": .string($0.state), "code": .string($0.code),
                        "detail": .string($0.detail), "attempts": .integer($0.attempts),
                        "at": .string($0.at.description), "command": .string($0.command),
                    ]
                }
            ),
            "sets": .array(
                sets.map {
                    [
                        "at": .string($0.at.description), "occasion": .string($0.occasion),
                        "outcome": .string($0.outcome), "titles": JSONValue($0.titles),
                        "nodes": .array($0.nodes.map(\.json)),
                    ]
                }
            ),
            "providers": .array(providers.map(\.json)),
        ]
    }
}
