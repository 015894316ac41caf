import Arguments
import Composition
import KnotDomain
import Recommendation

extension Flag {
    private static let making: [VerbName] = [.run, .refresh]
    private static let tables: [VerbName] = [.judge, .evaluate, .history]
    private static let reporting = tables + [.impact]

    /// Flags that only some verbs take.
    static let ofSingleVerbs: [Flag] = [
        Flag(name: .fixture, kind: .file, help: "File with a vault and its offers"),
        Flag(name: .vault, kind: .text("ID"), offer: .vaults, help: "Vault in the database (see `vault list`)"),
        Flag(name: .all, kind: .none, help: "Every vault in the database"),
        Flag(name: .hint, kind: .text("ID"), help: "Note to edit or remove (see `hint list`)"),
        Flag(name: .text, kind: .text("TEXT"), help: "Text of the note"),
        Flag(name: .file, kind: .file, help: "Vault to create, or changes to make; `-` reads standard input"),
        Flag(name: .template, kind: .none, help: "Print an empty vault to fill in"),
        Flag(name: .position, kind: .integer(1...3), help: "Position of the choice in the set, 1 to 3"),
        Flag(
            name: .milestone,
            kind: .text("ID"),
            help: "Milestone to choose for (see `vault show`); not with `--occasion`"
        ),
        Flag(
            name: .occasion,
            kind: .choice(OccasionTier.allCases.map(\.rawValue)),
            value: "OCCASION",
            help: "Kind of occasion to choose for; not with `--milestone`"
        ),
        Flag(
            name: .from,
            kind: .file,
            kinds: [.rehearse: .day],
            defaultTexts: [.rehearse: "today"],
            help: "Result to refresh, as printed by `run --json`"
        ),
        Flag(name: .run, kind: .text("ID"), help: "Stored run (see `history`)"),
        Flag(name: .diff, kind: .text("ID"), value: "A B", help: "Stored runs to compare"),
        Flag(name: .output, kind: .file, written: reporting, help: "Write the result to a file"),
        Flag(
            name: .reason,
            kind: .choice(RefreshReason.allCases.map(\.rawValue)),
            value: "REASON",
            help: "Why the choices were rejected"
        ),
        Flag(
            name: .reject,
            kind: .integer(1...3),
            repeatable: [.refresh],
            defaultText: "all three",
            help: "Position of a rejected choice; can be repeated"
        ),
        Flag(name: .candidate, kind: .text("ID"), help: "Offer to explain, by its ID in `run --json` or in a trace"),
        Flag(name: .cassette, kind: .file, help: "Recording to run again; can be given without the flag"),
        Flag(name: .fixtures, kind: .folder, defaultText: FixtureOptions.usualFolder, help: "Folder of judged vaults"),
        Flag(
            name: .format,
            kind: .choice(GraphFormat.allCases.map(\.rawValue) + TableFormat.allCases.map(\.rawValue) + ["markdown"]),
            value: "FORMAT",
            words: Dictionary(uniqueKeysWithValues: tables.map { ($0, TableFormat.allCases.map(\.rawValue)) })
                .merging([.graph: GraphFormat.allCases.map(\.rawValue), .impact: ["text", "markdown"]]) { $1 },
            defaultText: "mermaid for a graph, text for figures and lists",
            help: "Output format"
        ),
        Flag(
            name: .readings,
            kind: .path(orWords: ["rules"]),
            repeatable: [.judge],
            environment: "KNOT_READINGS",
            isConfigurable: true,
            defaultText: "beside the fixture, else rules",
            defaultTexts: [.work, .runDue].usually("the vault's, else rules"),
            help: "What the notes mean: a file, a folder (searched by fixture name or vault ID) or `rules` (word rules)"
        ),
        Flag(
            name: .rates,
            kind: .file,
            environment: "KNOT_RATES",
            isConfigurable: true,
            defaultText: "beside the fixture, else embedded",
            defaultTexts: [.work, .runDue].usually("the vault's, else embedded"),
            help: "Exchange rates to use"
        ),
        Flag(
            name: .asOf,
            kind: .instant,
            defaultText: "now",
            defaultTexts: [.run, .refresh, .explain, .calendar].usually("the fixture's, else now"),
            help: "Time to choose at, such as `2026-03-01T09:00:00Z`"
        ),
        Flag(name: .record, kind: .file, written: making, help: "Write a recording for `replay`; contains the vault"),
        Flag(
            name: .trace,
            kind: .file,
            written: making + [.replay],
            help: "Write what happened to each node and offer (JSON lines)"
        ),
        Flag(name: .traceTexts, kind: .none, needs: .trace, help: "With `--trace`: include phrases from the vault"),
        Flag(name: .live, kind: .none, help: "Ask the configured services for offers (see `providers list`)"),
        Flag(
            name: .recordTraffic,
            kind: .file,
            needs: .live,
            written: [.run],
            help: "With `--live`: save the answers, without keys or search words (not with `--model remote`)"
        ),
        Flag(
            name: .playTraffic,
            kind: .file,
            needs: .live,
            help: "With `--live`: use saved answers and send nothing; needs no keys (not with `--model remote`)"
        ),
        Flag(
            name: .planOnly,
            kind: .none,
            needs: .live,
            help: "With `--live`: show the requests and their cost without sending any"
        ),
        Flag(name: .dryRun, kind: .none, help: "Choose and print, but store nothing"),
        Flag(name: .explain, kind: .none, help: "Also print why each choice was made"),
        Flag(name: .ics, kind: .none, help: "Print an iCalendar file (RFC 5545) with reminders as alarms"),
        Flag(name: .timings, kind: .none, help: "Add timings to the result"),
        Flag(
            name: .request,
            kind: .request,
            defaultTexts: [.run: "a new one for each call"],
            help: "Name of this request; the same name returns the set that was stored for it"
        ),
        Flag(
            name: .cards,
            kind: .integer(RunRequest.ofOneSet...RunRequest.mostCards),
            defaultText: "3",
            help: "Number of cards to show; only the first three belong to the set and are stored"
        ),
        Flag(name: .asUser, kind: .person, help: "Access the database with this user's rights"),
        Flag(name: .markdown, kind: .none, help: "Print the reference page of all verbs and actions as Markdown"),
        Flag(name: .man, kind: .none, help: "Print a manual page"),
        Flag(
            name: .offer,
            kind: .choice(CompletionOffer.allCases.map(\.rawValue)),
            value: "WORDS",
            help: "Print vault IDs or `--set` names instead of a script (the scripts call this)"
        ),
    ]
}
