import Arguments
import ChoiceService
import Composition
import Console
import Evaluation
import JSONDocument
import KnotDomain
import PostgresClient
import ReminderStore
import Scheduling

extension VerbName {
    static let calendar = VerbName("calendar")
}

extension Verb {
    static let calendar = Verb(
        name: .calendar,
        summary: "shows the coming year: each day that matters and its reminders",
        synopsis: "(--fixture FILE | --vault ID) [--ics]",
        description: """
            Reminders come 14, 7 and 3 days ahead, between 10:00 and 21:00 and outside quiet hours on the person's own \
            clock; those of one day come together. 29 February is kept on the 28th in other years. With --ics prints an \
            iCalendar file (RFC 5545) that calendars import, the reminders as alarms; importing it again replaces what it \
            brought before.
            """,
        examples: [
            Example(
                purpose: "a fixture's year, from its own moment on",
                command: "knot-recommend calendar --fixture fixtures/vaults/dev-01.json"
            ),
            Example(
                purpose: "a file for a calendar",
                command: "knot-recommend calendar --vault 9f8c6a52-2f0e-4a3c-9d3f-1c5b7e0a4d21 --ics > days.ics"
            ),
        ],
        flags: [.fixture, .vault, .ics, .asOf, .asUser, .allowWeakTLS],
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
