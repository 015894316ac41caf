import Arguments
import Composition
import KnotDomain
import Recommendation

extension Flag {
    private static let making: [VerbName] = [.run, .refresh]
    private static let tables: [VerbName] = [.judge, .evaluate, .history]
    private static let reporting = tables + [.impact]

    /// What only some verbs take.
    static let ofSingleVerbs: [Flag] = [
        Flag(
            name: .fixture,
            kind: .file,
            help: "The vault and its outside world, in a file."
        ),
        Flag(
            name: .vault,
            kind: .text("ID"),
            fits: [.vault: [.shownVault, .otherVault]],
            offer: .vaults,
            help: "The vault, in the database."
        ),
        Flag(
            name: .hint,
            kind: .text("ID"),
            fits: [.hint: [.otherHints]],
            help: "The hint to change or remove; hint list names them."
        ),
        Flag(
            name: .position,
            kind: .integer(1...3),
            help: "Which of the three choices."
        ),
        Flag(
            name: .milestone,
            kind: .text("ID"),
            fits: [.run: [.fixture, .vault], .explain: [.fixture]],
            help: "The milestone to choose for; not together with --occasion."
        ),
        Flag(
            name: .occasion,
            kind: .choice(OccasionTier.allCases.map(\.rawValue)),
            fits: [.explain: [.fixture]],
            help: "The kind of occasion to choose for; not together with --milestone."
        ),
        Flag(
            name: .from,
            kind: .file,
            kinds: [.rehearse: .day],
            help: "The result to re-roll, as run --json printed it.",
            helps: [.rehearse: "The first day that is played."]
        ),
        Flag(
            name: .run,
            kind: .text("ID"),
            help: "The stored run, in the database."
        ),
        Flag(
            name: .diff,
            kind: .text("ID"),
            help: "The run that the one named after it is held against: --diff A B."
        ),
        Flag(
            name: .output,
            kind: .file,
            written: reporting,
            help: "Writes the result into this file instead of printing it."
        ),
        Flag(
            name: .reason,
            kind: .choice(RefreshReason.allCases.map(\.rawValue)),
            help: "Why the choices were rejected."
        ),
        Flag(
            name: .reject,
            kind: .integer(1...3),
            repeatable: [.refresh],
            defaultText: "all three",
            help: "The position of a rejected choice; may be repeated."
        ),
        Flag(
            name: .candidate,
            kind: .text("ID"),
            help: "The candidate whose life to tell, and the smallest change that would have chosen it."
        ),
        Flag(
            name: .cassette,
            kind: .file,
            help: "The recorded run; may also be named without the flag."
        ),
        Flag(
            name: .fixtures,
            kind: .folder,
            defaultText: FixtureOptions.usualFolder,
            help: "The folder of judged vaults."
        ),
        Flag(
            name: .format,
            kind: .choice(GraphFormat.allCases.map(\.rawValue) + TableFormat.allCases.map(\.rawValue) + ["markdown"]),
            words: Dictionary(uniqueKeysWithValues: tables.map { ($0, TableFormat.allCases.map(\.rawValue)) })
                .merging([.graph: GraphFormat.allCases.map(\.rawValue), .impact: ["text", "markdown"]]) { $1 },
            defaultText: "mermaid for a graph, text for figures and lists",
            help: "How the result is written."
        ),
        Flag(
            name: .readings,
            kind: .path(orWords: ["rules"]),
            repeatable: [.judge],
            fits: [.explain: [.fixture, .storedRun]],
            environment: "KNOT_READINGS",
            isConfigurable: true,
            defaultText: "beside the fixture, else rules",
            help: "Recorded readings of the hints, or the word rules; a folder is searched by the fixture's name, or "
                + "the vault's id."
        ),
        Flag(
            name: .rates,
            kind: .file,
            fits: [.explain: [.fixture, .storedRun]],
            environment: "KNOT_RATES",
            isConfigurable: true,
            defaultText: "beside the fixture, else embedded",
            help: "The exchange rates."
        ),
        Flag(
            name: .asOf,
            kind: .instant,
            fits: [.explain: [.fixture], .hint: [.hints]],
            defaultText: "the fixture's, else now",
            help: "The moment to choose or plan at."
        ),
        Flag(
            name: .record,
            kind: .file,
            fits: [.run: [.fixture, .vault]],
            written: making,
            help: "Writes a recording of everything the run saw of the outside world.",
            helps: [.explain: "The recording of the run that is explained."]
        ),
        Flag(
            name: .trace,
            kind: .file,
            fits: [.run: [.fixture, .vault]],
            written: making + [.replay],
            help: "Writes what happened to every node and candidate, one JSON object a line."
        ),
        Flag(
            name: .traceTexts,
            kind: .none,
            needs: .trace,
            help: "Writes the vault's own phrases into the trace as well; they are left out else."
        ),
        Flag(
            name: .live,
            kind: .none,
            help: "Asks the services that are set up, instead of what lies here under their names."
        ),
        Flag(
            name: .recordTraffic,
            kind: .file,
            fits: [.run: [.fixture, .vault]],
            needs: .live,
            written: [.run],
            help: "Writes what services and pages answered, without keys and without the words that were asked; not "
                + "with --model remote."
        ),
        Flag(
            name: .playTraffic,
            kind: .file,
            fits: [.run: [.fixture, .vault]],
            needs: .live,
            help: "Takes the answers from such a file: nothing is sent, and no key is needed; not with --model remote."
        ),
        Flag(
            name: .planOnly,
            kind: .none,
            fits: [.run: [.fixture, .vault]],
            needs: .live,
            help: "Says what the services would be asked and what it would cost, and sends nothing."
        ),
        Flag(
            name: .dryRun,
            kind: .none,
            fits: [.run: [.vault, .everyVault], .refresh: [.storedRun], .migrate: [.schema]],
            help: "Computes and prints everything, stores nothing."
        ),
        Flag(
            name: .explain,
            kind: .none,
            fits: [.run: [.fixture, .vault]],
            help: "Also prints why these three.",
            helps: [.plan: "Also prints why each reminder comes or does not."]
        ),
        Flag(
            name: .ics,
            kind: .none,
            help: "Prints an iCalendar file for other calendars instead of text."
        ),
        Flag(
            name: .timings,
            kind: .none,
            help: "Adds what was measured to the result."
        ),
        Flag(
            name: .request,
            kind: .request,
            fits: [.run: [.vault, .everyVault], .hint: [.hints]],
            defaultText: "a fresh one; with hint add and feedback none",
            help: """
                The identity of the request: asking again with the same one returns the first set. With hint add, the same \
                words under the same request, or under none, are one hint.
                """
        ),
        Flag(
            name: .cards,
            kind: .integer(RunRequest.ofOneSet...RunRequest.mostCards),
            fits: [.run: [.fixture, .vault]],
            defaultText: "3",
            help: "Shows so many cards: the set of three, and the next best that can be had, which are not stored."
        ),
        Flag(
            name: .asUser,
            kind: .person,
            fits: [
                .run: [.vault, .everyVault], .refresh: [.storedRun], .explain: [.storedRun], .calendar: [.vault],
                .vault: [.newVault, .shownVault, .otherVault],
            ],
            help: "The user on whose behalf the database is read and written, by id."
        ),
        Flag(
            name: .markdown,
            kind: .none,
            fits: [.help: [.overview]],
            help: "Prints the tables of verbs, flags and exit codes that the README shows."
        ),
        Flag(
            name: .man,
            kind: .none,
            help: "Prints the manual page, for man."
        ),
        Flag(
            name: .offer,
            kind: .choice(CompletionOffer.allCases.map(\.rawValue)),
            help: "Prints what a shell may offer, one a line, in place of a script: ids of vaults or names for --set."
        ),
    ]
}
