import Arguments
import Composition
import Console
import Evaluation
import JSONDocument
import KnotDomain
import PostgresClient
import ReminderStore
import Verbs
import Worker

extension Verb {
    static let jobs = Verb(
        name: .jobs,
        summary: "List, show, retry or cancel the reminders in the queue",
        actions: [
            VerbAction(
                "list",
                "List jobs in the order they are due",
                "[--state STATE] [--vault ID] [--limit N]",
                examples: [
                    "knot-recommend jobs list",
                    "knot-recommend jobs list --state dead # what failed, and why",
                ],
                flags: [.state, .vault, .limit, .after],
                texts: [
                    .state: "Jobs to list; `open` are those neither completed nor cancelled",
                    .vault: "Vault whose jobs to list",
                ],
                isUsual: true
            ),
            VerbAction(
                "show",
                "Show one job, and why it failed",
                "--job ID",
                examples: ["knot-recommend jobs show --job $JOB"],
                flags: [.job],
                texts: [.job: "Job to show (see `jobs list`)"]
            ),
            VerbAction(
                "retry",
                "Return dead jobs to the queue",
                "(--job ID | --state dead [--vault ID])",
                uses: [
                    VerbUse("--job ID [options]", by: .job),
                    VerbUse("--state dead [--vault ID] [options]", flags: [.state, .vault]),
                ],
                description: "Fix the cause first; `jobs show` names it. Only jobs in the state `dead` can be retried.",
                examples: [
                    "knot-recommend jobs retry --job $JOB",
                    "knot-recommend jobs retry --state dead # all of them",
                ],
                texts: [
                    .state: "Retry every job in the state `dead`",
                    .vault: "With `--state dead`: vault whose jobs to retry",
                    .job: "Job to retry (see `jobs list --state dead`)",
                ]
            ),
            VerbAction(
                "cancel",
                "Cancel a job and its notification for good",
                "--job ID",
                description: "`plan` won't queue this reminder again.",
                examples: ["knot-recommend jobs cancel --job $JOB"],
                flags: [.job],
                texts: [.job: "Job to cancel (see `jobs list`)"]
            ),
            VerbAction(
                "stats",
                "Count jobs by state and show how long the oldest has been due",
                examples: ["knot-recommend jobs stats"]
            ),
        ],
        description: """
            Without an action, lists jobs. A job that failed for good is `dead` and waits for you to retry or cancel \
            it. No texts from a vault are shown.
            """,
        examples: [
            "knot-recommend jobs list --state dead # what failed, and why",
            "knot-recommend jobs retry --state dead # all of it, after an outage",
            "knot-recommend jobs stats # do the workers keep up?",
        ],
        flags: [.allowWeakTLS],
        texts: [
            .vault: "Vault whose jobs to list or retry",
            .limit: "Number of jobs to list",
            .after: "Last job of the previous page",
        ],
        exitCodes: keeping + [.notFound],
        perform: JobsVerb.perform
    )
}

/// `jobs list|show|retry|cancel|stats`: the queue for who looks after it.
enum JobsVerb {
    static func perform(
        _ arguments: TypedArguments,
        _ context: CommandContext
    ) async throws(CommandError) -> ExitCode {
        let shared = SharedOptions(arguments, context.settings)
        let action = arguments.operands.first ?? "list"
        if action == "retry", let state = arguments.text(.state), state != "dead" {
            throw .usage(.jobs, "only what was put aside can be tried again", todo: "write --state dead, or --job")
        }
        let job = try id(arguments, .job)
        let isOfAll = action == "retry" && arguments.text(.state) == "dead"
        if ofOneJob.contains(action), job == nil, !isOfAll { throw .missing(.job, .jobs) }
        let call = try await DatabaseCall("the queue", asUser: nil, shared, context)
        let ledger = JobLedger(call.pool)
        let report: TextReport
        switch (action, job) {
        case ("show", let job?): report = show(try await found(job, ledger, call))
        case ("retry", let job?):
            let isDone = try await call.asked { try await ledger.retry(job, until: call.deadline) }
            let now = try await found(job, ledger, call)
            guard isDone else { throw refused(now, "only what was put aside can be tried again") }
            report = changed(now, "is tried again")
        case ("retry", nil): report = try await retryAll(arguments, ledger, call)
        case ("cancel", let job?):
            let isDone = try await call.asked { try await ledger.cancel(job, until: call.deadline) }
            let now = try await found(job, ledger, call)
            guard isDone else { throw refused(now, "it had ended before it was called off") }
            report = changed(now, "is called off, and its notification with it")
        case ("stats", _): report = stats(try await call.asked { try await ledger.counts(until: call.deadline) })
        default: report = try await list(arguments, ledger, call)
        }
        return try report.finish(context)
    }

    private static let ofOneJob = ["show", "retry", "cancel"]

    /// Puts back all that were put aside, of one vault where it is named; what somebody else changes meanwhile is left.
    private static func retryAll(
        _ arguments: TypedArguments,
        _ ledger: JobLedger,
        _ call: DatabaseCall
    ) async throws(CommandError) -> TextReport {
        let vault = try StoredVaultOptions.id(arguments, .vault)
        var tried: Set<PostgresUUID> = []
        var count = 0
        while true {
            // What is tried again is no longer among them; what comes back meanwhile has had its turn.
            let jobs = try await call.asked {
                try await ledger.page(of: ["dead"], vault: vault, after: nil, limit: 100, until: call.deadline)
            }
            let fresh = jobs.compactMap { PostgresUUID($0.id.description) }.filter { tried.insert($0).inserted }
            guard !fresh.isEmpty else { break }
            for job in fresh where try await call.asked({ try await ledger.retry(job, until: call.deadline) }) {
                count += 1
            }
        }
        let line = FigureText.plural(count, "job is", "jobs are") + " tried again"
        return TextReport(json: ["schema": "knot.jobs-retried/1", "retried": .integer(count)], lines: [line])
    }

    private static func id(_ arguments: TypedArguments, _ flag: FlagName) throws(CommandError) -> PostgresUUID? {
        guard let text = arguments.text(flag) else { return nil }
        guard let id = PostgresUUID(text) else {
            throw CommandError(
                .notFound,
                "\(text) is no id",
                at: flag.typed,
                todo: "knot-recommend jobs list names them"
            )
        }
        return id
    }

    private static func found(
        _ id: PostgresUUID,
        by flag: FlagName = .job,
        _ ledger: JobLedger,
        _ call: DatabaseCall
    ) async throws(CommandError) -> JobRecord {
        guard let job = try await call.asked({ try await ledger.job(id, until: call.deadline) }) else {
            throw CommandError(
                .notFound,
                "there is no job \(id)",
                at: flag.typed,
                todo: "knot-recommend jobs list --state all names them"
            )
        }
        return job
    }

    private static func refused(_ job: JobRecord, _ why: String) -> CommandError {
        CommandError(
            .badInput,
            "job \(job.id) is \(job.state): \(why)",
            at: FlagName.job.typed,
            todo: "leave it as it is"
        )
    }

    private static func changed(_ job: JobRecord, _ what: String) -> TextReport {
        TextReport(json: ["schema": "knot.job/1", "job": job.json], lines: ["job \(job.id) \(what)"])
    }

    private static func show(_ job: JobRecord) -> TextReport {
        var lines = [
            "job \(job.id): \(job.state), due \(job.dueAt.iso8601)",
            "  vault \(job.vault), milestone \(job.milestone)",
            "  \(job.occasion ?? "a day that is gone"), \(job.daysBefore) days before \(job.occurrence), attempt \(job.attempt), \(job.crashes) crashes",
        ]
        if let notification = job.notification { lines.append("  notification \(notification)") }
        if let run = job.run { lines.append("  run \(run)") }
        if let worker = job.worker, let lease = job.leaseUntil {
            lines.append("  held by worker \(worker) until \(lease.iso8601)")
        } else if let worker = job.worker {
            lines.append("  last held by worker \(worker)")
        }
        if let end = job.finishedAt { lines.append("  ended \(end.iso8601)") }
        if let code = job.errorCode {
            let detail = job.errorDetail.map { ": " + TerminalText.safe($0, limit: 200) } ?? ""
            lines.append("  \(job.errorClass ?? "error"), \(code)\(detail)")
        }
        if job.state == "dead" { lines.append("  mend that, then: knot-recommend jobs retry --job \(job.id)") }
        return TextReport(json: ["schema": "knot.job/1", "job": job.json], lines: lines)
    }

    private static func list(
        _ arguments: TypedArguments,
        _ ledger: JobLedger,
        _ call: DatabaseCall
    ) async throws(CommandError) -> TextReport {
        let wanted = arguments.text(.state) ?? "open"
        let states =
            switch wanted {
            case "all": JobLedger.states
            case "open": ["available", "running", "retryable", "dead"]
            default: [wanted]
            }
        let limit = arguments.text(.limit).flatMap { Int($0) } ?? 10
        let vault = try StoredVaultOptions.id(arguments, .vault)
        let after = try id(arguments, .after)
        let jobs = try await call.asked {
            try await ledger.page(of: states, vault: vault, after: after, limit: limit + 1, until: call.deadline)
        }
        // A page after a job that is gone would be empty, and look like the last.
        if jobs.isEmpty, let after { _ = try await found(after, by: .after, ledger, call) }
        let shown = jobs.prefix(limit)
        let next = jobs.count > limit ? shown.last?.id.description : nil
        var lines = shown.map(line)
        if shown.isEmpty { lines = ["there is no such job" + (after == nil ? "" : " after that one")] }
        if let next { lines.append("more with --after \(next)") }
        return TextReport(
            json: [
                "schema": "knot.jobs/1", "jobs": .array(shown.map(\.json)), "next": JSONValue(next),
            ],
            lines: lines
        )
    }

    /// What it is about, how often it was tried, who has it, and why it came to nothing so far.
    private static func line(_ job: JobRecord) -> String {
        var parts = [
            job.id.description, TextLayout.padded(job.state, to: 9), job.dueAt.iso8601,
            "\(job.occasion ?? "a day that is gone"), \(job.daysBefore) days before \(job.occurrence)",
            "vault \(job.vault)",
        ]
        if job.attempt > 0 { parts.append("attempt \(job.attempt)") }
        if job.state == "running", let worker = job.worker { parts.append("held by \(worker)") }
        if let code = job.errorCode { parts.append(code) }
        return parts.joined(separator: "  ")
    }

    private static func stats(_ counts: JobCounts) -> TextReport {
        let oldest = counts.oldestDue.map { Int($0.components.seconds) }
        var lines = JobLedger.states.map { "\(TextLayout.padded($0, to: 10)) \(counts.byState[$0] ?? 0)" }
        lines.append(
            oldest.map { "\(counts.due) due, the oldest since \($0) s" } ?? "nothing is due"
        )
        if counts.stuck > 0 {
            lines.append("\(counts.stuck) held by workers that are gone; any worker takes them back")
        }
        lines += counts.deadByCode.sorted { $0.key < $1.key }.map { "put aside: \($0.value) with \($0.key)" }
        return TextReport(json: counts.json, lines: lines)
    }
}
