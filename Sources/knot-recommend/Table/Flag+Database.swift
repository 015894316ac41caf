import Arguments
import Composition

extension Flag {
    /// The verbs that open a database somebody else may run.
    static let connecting: [VerbName] = [
        .run, .refresh, .explain, .vault, .hint, .history, .feedback, .learn, .embed, .catalogue, .importVaults,
        .export, .forget, .migrate, .doctor, .work, .runDue, .jobs,
    ]

    /// What only verbs with a database take.
    static let ofTheDatabase: [Flag] = [
        Flag(
            name: .all,
            kind: .none,
            help: "Every vault in the database.",
            helps: [.export: "Everything there is of the vault's person."]
        ),
        Flag(
            name: .catalogue,
            kind: .path(orWords: []),
            fits: [.run: [.vault, .everyVault], .refresh: [.storedRun], .explain: [.storedRun]],
            environment: "KNOT_CATALOGUE",
            isConfigurable: true,
            help:
                "Candidates besides those in the database: a file, one JSON object a line, each as in a fixture, or a "
                + "folder that catalogue build made.",
            helps: [.catalogue: "The folder that the actions are about, all but import."]
        ),
        Flag(
            name: .vectors,
            kind: .file,
            help: "With build and add: a file of embeddings whose ids are the offers'."
        ),
        Flag(
            name: .calibrate,
            kind: .none,
            help: "Finds out what the cosines of a model other than set-up's mean, so that runs can go by them."
        ),
        Flag(
            name: .concurrency,
            kind: .integer(1...64),
            fits: [.run: [.everyVault]],
            environment: "KNOT_CONCURRENCY",
            isConfigurable: true,
            defaultText: "two per thread",
            help: "With --all, how many vaults are chosen for at once; groups of others are read and stored meanwhile."
        ),
        Flag(
            name: .file,
            kind: .file,
            fits: [.vault: [.newVault, .otherVault]],
            help: "The vault to store, as --template prints one, or what to change of one; - is standard input."
        ),
        Flag(
            name: .template,
            kind: .none,
            fits: [.vault: [.template]],
            help: "Prints a vault to fill in."
        ),
        Flag(
            name: .text,
            kind: .text("TEXT"),
            defaultText: "one hint a line on standard input",
            help: "What was noticed, or what a hint is to say."
        ),
        Flag(
            name: .limit,
            kind: .integer(1...500),
            fits: [.vault: [.otherVault]],
            defaultText: "10",
            help: "How many sets, vaults or jobs to list.",
            helps: [.catalogue: "With search: how many offers it finds at most."]
        ),
        Flag(
            name: .after,
            kind: .text("ID"),
            fits: [.vault: [.otherVault]],
            help: "The run, vault or job that the page before ended with."
        ),
        Flag(
            name: .source,
            kind: .text("NAME"),
            defaultText: "the file's name without its ending",
            help: "Whose offers they are; an offer's id is its own among those of one source."
        ),
        Flag(
            name: .replace,
            kind: .none,
            fits: [.vault: [.newVault]],
            help: "Replaces vaults that are there under the same id, and deletes their stored sets.",
            helps: [.catalogue: "Withdraws the source's offers that the file no longer has."]
        ),
        Flag(
            name: .to,
            kind: .integer(0...9_999),
            kinds: [.rehearse: .day],
            fits: [.migrate: [.schema]],
            defaultText: "the last one",
            defaultTexts: [.rehearse: "the fourteenth day"],
            help: "The number of the migration to stop at.",
            helps: [.rehearse: "The last day that is played."]
        ),
        Flag(
            name: .status,
            kind: .none,
            help: "Lists every migration and when it was applied, and changes nothing."
        ),
        Flag(
            name: .yes,
            kind: .none,
            fits: [.devDatabase: [.reset]],
            help: "Deletes without asking; needed where nobody sits at a terminal."
        ),
        Flag(
            name: .allowWeakTLS,
            kind: .none,
            fits: [
                .run: [.vault, .everyVault], .refresh: [.storedRun], .explain: [.storedRun], .calendar: [.vault],
                .vault: [.newVault, .shownVault, .otherVault],
            ],
            isConfigurable: true,
            defaultText: "false",
            help: "Takes a database server off this machine at its word instead of checking its certificate."
        ),
    ]
}

extension Flag {
    /// What only `evaluate` takes.
    static let ofEvaluation: [Flag] = [
        Flag(
            name: .against,
            kind: .pipeline,
            help: "A pipeline to compare with, taken as it is: --set and --experiment change the other one."
        ),
        Flag(
            name: .base,
            kind: .pipeline,
            defaultText: "each recording's own",
            help: "The pipeline that the change is held against, taken as it is."
        ),
        Flag(
            name: .changed,
            kind: .pipeline,
            defaultText: "the base",
            help: "The changed pipeline; --experiment and --set are laid over it."
        ),
        Flag(
            name: .sweep,
            kind: .text("NODE.PARAMETER=A..B[:STEPS]"),
            help: "Also finds the effect of one number along a range, everything else as it is."
        ),
        Flag(
            name: .report,
            kind: .file,
            written: [.evaluate],
            help: "Writes one self-contained HTML page: verdict, gates, intervals, slices, changed vaults."
        ),
    ]
}
