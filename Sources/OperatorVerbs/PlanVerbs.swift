import Arguments
import ChoiceService
import Composition
import Console
import JSONDocument
import KnotDomain
import PostgresClient
import ReminderStore
import Scheduling
import VaultStore
import Verbs

extension Verb {
    static let plan = Verb(
        name: .plan,
        summary: "Queue the reminders of the next 45 days",
        uses: ["--all [--explain] [--dry-run] [options]", "--vault ID [--explain] [--dry-run] [options]"],
        description: """
            Run it as often as you like. After an edit, reminders move; reminders that are no longer wanted are \
            cancelled. Reminders that were sent stay as they are.
            """,
        examples: [
            "knot-recommend plan --all # what a timer runs",
            "knot-recommend plan --vault $VAULT --explain --dry-run",
        ],
        flags: [.vault, .all, .explain, .dryRun, .asOf, .allowWeakTLS],
        texts: [
            .vault: "Vault to plan",
            .all: "Plan every vault in the database",
            .explain: "Also print why each reminder will or won't be sent",
            .dryRun: "Show what would change, but store nothing",
            .asOf: "Time to plan from, such as `2026-03-01T09:00:00Z`",
        ],
        exitCodes: keeping,
        perform: PlanVerb.perform
    )

    static let rehearse = Verb(
        name: .rehearse,
        summary: "Preview which reminders will be sent in the coming days",
        uses: ["[--vault ID] [--from DAY] [--to DAY] [options]"],
        description: """
            Shows each message with its time in the user's time zone, and why a reminder wouldn't be sent. Stores \
            nothing.
            """,
        examples: [
            "knot-recommend rehearse # the next two weeks, every vault",
            "knot-recommend rehearse --from 2026-12-01 --to 2026-12-26",
        ],
        flags: [.vault, .from, .to, .asOf, .allowWeakTLS],
        texts: [
            .vault: "Vault to preview; all vaults if omitted",
            .from: "First day, such as `2026-12-01`",
            .to: "Last day, such as `2026-12-26`",
            .asOf: "Time to preview from, such as `2026-03-01T09:00:00Z`",
        ],
        exitCodes: keeping,
        perform: RehearseVerb.perform
    )
}

/// What `plan` and `rehearse` were asked.
struct PlanVerbOptions: Sendable, Equatable {
    let shared: SharedOptions
    /// Nil: every vault.
    let vault: PostgresUUID?
    let isDryRun: Bool
    let explains: Bool
    let now: Instant?
    /// The days of a rehearsal; nil begins today, and goes on for a fortnight.
    let from: CivilDate?
    let to: CivilDate?

    init(_ arguments: TypedArguments, _ settings: Settings) throws(CommandError) {
        shared = SharedOptions(arguments, settings)
        vault = try StoredVaultOptions.id(arguments, .vault)
        isDryRun = arguments.has(.dryRun)
        explains = arguments.has(.explain)
        now = arguments.text(.asOf).flatMap { Instant(iso8601: $0) }
        from = arguments.text(.from).flatMap { CivilDate(iso8601: $0) }
        to = arguments.text(.to).flatMap { CivilDate(iso8601: $0) }
        guard arguments.verb == .plan else {
            if let from, let to, to < from {
                throw .usage(arguments.verb, "--to lies before --from", todo: "give the later day to --to")
            }
            return
        }
        switch (vault, arguments.has(.all)) {
        case (.some, true):
            throw .usage(arguments.verb, "--vault and --all exclude one another", todo: "give one of them")
        case (nil, false):
            throw .usage(arguments.verb, "there is no vault to plan", todo: "add --vault ID or --all")
        case (.some, false), (nil, true): break
        }
    }
}

/// Goes through the vaults that are meant, a page at a time; one that cannot be planned is told of and stops no other.
private struct PlannedVaults {
    private static let page = 200

    let call: DatabaseCall
    let store: ReminderStore
    let zones: ZoneCache
    /// What is to be said of this machine's zones.
    let notes: [String]
    private let options: PlanVerbOptions
    private let context: CommandContext

    /// The moment of the plans.
    let now: Instant

    init(_ options: PlanVerbOptions, _ context: CommandContext) async throws(CommandError) {
        zones = ZoneCache(try Surroundings.zones(context.environment))
        call = try await DatabaseCall("the database", asUser: nil, options.shared, context)
        let (call, store) = (call, ReminderStore(call.pool, zones: zones))
        self.store = store
        // Workers go by the same clock.
        now =
            if let asked = options.now { asked } else {
                try await call.asked { try await store.now(until: call.deadline) }
            }
        self.options = options
        self.context = context
        notes = ZoneFact.unknown(to: zones).map(\.warning)
        for note in notes { context.note(note) }
    }

    /// Tells people what is to be said of a vault's zone, and returns it for programs.
    func note(_ vault: PlannedVault) -> [String] {
        guard let warning = vault.subject.zone.warning else { return [] }
        let note = "vault \(vault.subject.vault): \(warning)"
        context.note(note)
        return [note]
    }

    /// Returns how many vaults could not be planned, or have sets to come that nobody could make.
    func each<Made>(
        _ making: MadeOfVault<Made>,
        _ body: (PlannedVault, Made) async throws(CommandError) -> Void
    ) async throws(CommandError) -> Int {
        if let vault = options.vault {
            let found = try await call.asked {
                try await store.made(making, of: vault, at: now, until: call.deadline)
            }
            try await body(found.vault, found.made)
            return 0
        }
        var last: VaultID?
        var failed = 0
        while true {
            let after = last
            let page = try await call.asked {
                try await store.page(making, after: after, limit: Self.page, at: now, until: call.deadline)
            }
            for (id, result) in page {
                switch result {
                case .success(let found): try await body(found.vault, found.made)
                case .failure(let error):
                    failed += 1
                    try context.complain(CommandError(error, input: "vault \(id)"))
                }
            }
            guard let end = page.last, page.count == Self.page else { return failed }
            last = end.id
        }
    }
}

/// `plan`: reminders into the queue.
enum PlanVerb {
    static func perform(
        _ arguments: TypedArguments,
        _ context: CommandContext
    ) async throws(CommandError) -> ExitCode {
        let options = try PlanVerbOptions(arguments, context.settings)
        let vaults = try await PlannedVaults(options, context)
        let now = vaults.now
        var notes = vaults.notes
        var sum = StoredPlan()
        var count = 0
        var decisions: [JSONValue] = []
        let planning = MadeOfVault { vault in
            ReminderPlanner().plan(for: vault.subject, at: now, stored: vault.stored)
        } hasSets: { plan in
            options.explains ? !plan.messages.isEmpty : !plan.toStore.isEmpty
        }
        let failed = try await vaults.each(planning) { vault, plan throws(CommandError) in
            count += 1
            notes += vaults.note(vault)
            if options.explains {
                let lines = Self.lines(of: plan, vault, at: now)
                if context.isJSON { decisions += lines.map { .string($0) } } else { try context.print(lines) }
            }
            if options.isDryRun {
                sum = sum + StoredPlan(foreseen: plan)
            } else {
                sum =
                    sum
                    + (try await vaults.call.asked { try await vaults.store.store(plan, until: vaults.call.deadline) })
            }
        }
        var document: JSONValue = [
            "schema": "knot.plan/1", "as_of": .string(now.iso8601), "vaults": .integer(count), "new": .integer(sum.new),
            "moved": .integer(sum.moved), "cancelled": .integer(sum.cancelled), "unplanned": .integer(failed),
            "stored": .bool(!options.isDryRun), "notes": JSONValue(notes),
        ]
        if options.explains, case .object(var members) = document {
            members["explanation"] = .array(decisions)
            document = .object(members)
        }
        let verb = options.isDryRun ? "would be" : "are"
        let line =
            "\(count) \(count == 1 ? "vault" : "vaults"): \(sum.new) reminders \(verb) new, \(sum.moved) moved, "
            + "\(sum.cancelled) cancelled"
        let code: ExitCode = failed == 0 ? .done : .badInput
        return try TextReport(json: document, lines: [line], exitCode: code).finish(context)
    }

    /// A line for each reminder: what is done about it, and why.
    private static func lines(of plan: ReminderPlan, _ vault: PlannedVault, at now: Instant) -> [String] {
        let words = ReminderWords(zone: vault.subject.zone.rules, now: now)
        let names = Dictionary(vault.subject.milestones.map { ($0.id, $0.name) }) { first, _ in first }
        let head = "vault \(plan.vault), \(vault.subject.zone.name), quiet hours \(vault.subject.quiet)"
        let decisions = plan.decisions.map { decision in
            let name = names[decision.key.milestone] ?? "a milestone that is gone"
            return "  \(name) on \(decision.key.occurrence), \(decision.key.daysBefore) days ahead: "
                + words.text(decision.outcome)
        }
        let undated = vault.subject.milestones.compactMap { milestone in
            plan.undated[milestone.id].map { "  \(milestone.name): \(ReminderWords.text($0))" }
        }
        return ([head] + decisions + undated).map { TerminalText.escaped($0, limit: 400) }
    }
}

/// `rehearse`: what would be sent, with nothing stored.
enum RehearseVerb {
    /// After the first day, where no last one is named.
    private static let daysAhead = 13

    static func perform(
        _ arguments: TypedArguments,
        _ context: CommandContext
    ) async throws(CommandError) -> ExitCode {
        let options = try PlanVerbOptions(arguments, context.settings)
        // No zone is a day behind this one.
        let earliest = ZoneRules.utc.localDate(at: options.now ?? MachineClock().now()).adding(days: -1)
        if let end = options.to ?? options.from?.adding(days: RehearseVerb.daysAhead), end < earliest {
            throw .usage(
                arguments.verb,
                "\(options.to == nil ? "--from" : "--to") lies in the past, and only coming days are played",
                todo: "give a day to come, or the moment to play from with --as-of"
            )
        }
        let vaults = try await PlannedVaults(options, context)
        let now = vaults.now
        var notes = vaults.notes
        var list: [JSONValue] = []
        var messages = 0
        var leftOut = 0
        let playing = MadeOfVault { vault in
            let today = vault.subject.zone.rules.localDate(at: now)
            let from = options.from ?? today
            let to = max(from, options.to ?? from.adding(days: daysAhead))
            return Rehearsal(of: vault.subject, days: from...to, now: now, stored: vault.stored)
        } hasSets: {
            !$0.messages.isEmpty
        }
        let failed = try await vaults.each(playing) { vault, rehearsal throws(CommandError) in
            notes += vaults.note(vault)
            messages += rehearsal.messages.count
            leftOut += rehearsal.leftOut.count
            let lines = rehearsal.lines.map { TerminalText.escaped($0, limit: 400) }
            guard !lines.isEmpty else { return }
            if context.isJSON {
                list.append([
                    "vault_id": .string(vault.subject.vault.text),
                    "messages": .array(
                        rehearsal.messages.map { message in
                            [
                                "sends_at": .string(message.sendsAt.iso8601),
                                "reminders": .array(message.reminders.map { .string($0.description) }),
                            ]
                        }
                    ),
                    "says": .array(lines.map { .string($0) }),
                ])
            } else {
                try context.print(["vault \(vault.subject.vault)"] + lines.map { "  " + $0 })
            }
        }
        let document: JSONValue = [
            "schema": "knot.rehearsal/1", "as_of": .string(now.iso8601), "vaults": .array(list),
            "messages": .integer(messages), "left_out": .integer(leftOut), "unplanned": .integer(failed),
            "notes": JSONValue(notes),
        ]
        let line = "\(messages) messages would be sent, \(leftOut) reminders would not come; nothing is stored"
        let code: ExitCode = failed == 0 ? .done : .badInput
        return try TextReport(json: document, lines: [line], exitCode: code).finish(context)
    }
}
