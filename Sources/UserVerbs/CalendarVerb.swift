import Arguments
import ChoiceService
import Composition
import Console
import Fixtures
import JSONDocument
import KnotDomain
import PostgresClient
import ReminderStore
import Scheduling
import Verbs

extension Verb {
    static let calendar = Verb(
        name: .calendar,
        summary: "Show a vault's dates and reminders for the coming year",
        uses: [
            VerbUse("--vault ID [--ics] [options]", by: .vault, flags: [.asUser, .allowWeakTLS]),
            VerbUse("--fixture FILE [--ics] [options]", by: .fixture),
        ],
        description: """
            Reminders come 14, 7 and 3 days ahead, between 10:00 and 21:00 local time and outside quiet hours. \
            Reminders for the same day come together. In years without a 29 February, its dates fall on the 28th. \
            Importing a newer `--ics` file replaces the earlier events.
            """,
        examples: [
            "knot-recommend calendar --vault $VAULT",
            "knot-recommend calendar --vault $VAULT --ics > days.ics",
        ],
        flags: [.ics, .asOf],
        texts: [
            .vault: "Vault in the database to show",
            .fixture: "File with a vault",
            .asOf: "Start of the year, such as `2026-03-01T09:00:00Z`",
        ],
        exitCodes: keeping,
        perform: CalendarVerb.perform
    )
}

/// What `calendar` was asked.
struct CalendarVerbOptions: Sendable, Equatable {
    enum Subject: Sendable, Equatable {
        case fixture(String)
        case vault(PostgresUUID)
    }

    let shared: SharedOptions
    let subject: Subject
    let asUser: String?
    /// Nil: the fixture's own moment, else now.
    let asOf: Instant?
    let isICalendar: Bool

    init(_ arguments: TypedArguments, _ settings: Settings) throws(CommandError) {
        shared = SharedOptions(arguments, settings)
        asUser = arguments.text(.asUser)
        asOf = arguments.text(.asOf).flatMap { Instant(iso8601: $0) }
        isICalendar = arguments.has(.ics)
        switch (arguments.text(.fixture), arguments.text(.vault)) {
        case (.some, .some):
            throw .usage(arguments.verb, "--fixture and --vault exclude one another", todo: "give one of them")
        case (nil, nil):
            throw .usage(arguments.verb, "there is no vault to show", todo: "add --fixture FILE or --vault ID")
        case (let path?, nil): subject = .fixture(path)
        case (nil, _?):
            guard let id = try StoredVaultOptions.id(arguments, .vault) else { throw .missing(.vault, arguments.verb) }
            subject = .vault(id)
        }
        if isICalendar, shared.isJSON {
            throw .usage(arguments.verb, "--ics and --json exclude one another", todo: "give one of them")
        }
    }
}

/// `calendar`: the coming year of one vault.
enum CalendarVerb {
    static func perform(
        _ arguments: TypedArguments,
        _ context: CommandContext
    ) async throws(CommandError) -> ExitCode {
        let options = try CalendarVerbOptions(arguments, context.settings)
        let zones = ZoneCache(ZoneDirectory(path: Surroundings.zoneFolder(context.environment)))
        let year = try await year(options, zones, context)
        if options.isICalendar {
            for note in year.notes(zones: zones) { context.note(note) }
            ProgressLine.shared.erase()
            try context.output.write(year.iCalendar)
            return .done
        }
        return try TextReport(json: year.json(zones: zones), lines: lines(of: year, zones)).finish(context)
    }

    private static func year(
        _ options: CalendarVerbOptions,
        _ zones: ZoneCache,
        _ context: CommandContext
    ) async throws(CommandError) -> YearAhead {
        switch options.subject {
        case .fixture(let path):
            let found = try reporting { try FixtureLoader(readings: .rules).load(path) }.fixture
            let moment = options.asOf ?? found.asOf ?? MachineClock().now()
            return YearAhead(
                of: ReminderSubject(found.vault, zones: zones),
                partnerName: found.vault.partnerName,
                at: moment
            )
        case .vault(let id):
            let call = try await DatabaseCall("the database", asUser: options.asUser, options.shared, context)
            let now = options.asOf ?? MachineClock().now()
            let found = try await call.asked {
                try await ReminderStore(call.pool, zones: zones).vault(id, at: now, until: call.deadline)
            }
            return YearAhead(
                of: found.subject,
                partnerName: found.partnerName,
                at: now,
                stored: found.stored
            )
        }
    }

    /// Names are a person's own words, and a terminal obeys some of them.
    private static func lines(of year: YearAhead, _ zones: ZoneCache) -> [String] {
        year.lines(zones: zones).flatMap { line in
            let indent = String(repeating: " ", count: line.prefix { $0 == " " }.count)
            let parts = TextLayout.wrapped(TerminalText.escaped(line, limit: 400), to: 78 - indent.count)
            return parts.isEmpty ? [""] : parts.enumerated().map { $0 == 0 ? indent + $1 : indent + "  " + $1 }
        }
    }
}
