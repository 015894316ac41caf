extension Flag {
    /// The verbs that open a database somebody else may run.
    static let connecting: [VerbName] = [
        .run, .refresh, .explain, .vault, .hint, .history, .feedback, .learn, .embed, .importVaults, .export, .forget,
        .migrate,
        .doctor,
    ]

    /// What only verbs with a database take.
    static let ofTheDatabase: [Flag] = [
        Flag(
            name: .all,
            kind: .none,
            scope: .only([.run, .learn, .embed, .export]),
            help: "Every vault in the database; with export, everything there is of the vault's person."
        ),
        Flag(
            name: .catalogue,
            kind: .file,
            scope: .only([.run, .refresh, .explain, .embed]),
            fits: [.run: [.vault, .everyVault], .refresh: [.storedRun], .explain: [.storedRun]],
            environment: "KNOT_CATALOGUE",
            isConfigurable: true,
            help: "Candidates besides those in the database, one JSON object a line, each as in a fixture."
        ),
        Flag(
            name: .calibrate,
            kind: .none,
            scope: .only([.embed]),
            help: "Finds out what the cosines of a model other than set-up's mean, so that runs can go by them."
        ),
        Flag(
            name: .concurrency,
            kind: .integer(1...64),
            scope: .only([.run]),
            fits: [.run: [.everyVault]],
            environment: "KNOT_CONCURRENCY",
            isConfigurable: true,
            defaultText: "two per thread",
            help: "With --all, how many vaults are chosen for at once; groups of others are read and stored meanwhile."
        ),
        Flag(
            name: .file,
            kind: .file,
            scope: .only([.vault]),
            fits: [.vault: [.newVault, .otherVault]],
            help: "The vault to store, as --template prints one, or what to change of one; - is standard input."
        ),
        Flag(
            name: .template,
            kind: .none,
            scope: .only([.vault]),
            fits: [.vault: [.template]],
            help: "Prints a vault to fill in."
        ),
        Flag(
            name: .text,
            kind: .text("TEXT"),
            scope: .only([.hint]),
            defaultText: "one hint a line on standard input",
            help: "What was noticed, or what a hint is to say."
        ),
        Flag(
            name: .limit,
            kind: .integer(1...500),
            scope: .only([.history, .vault]),
            fits: [.vault: [.otherVault]],
            defaultText: "10",
            help: "How many sets or vaults to list."
        ),
        Flag(
            name: .after,
            kind: .text("ID"),
            scope: .only([.history, .vault]),
            fits: [.vault: [.otherVault]],
            help: "The run or vault that the page before ended with."
        ),
        Flag(
            name: .replace,
            kind: .none,
            scope: .only([.importVaults, .vault]),
            fits: [.vault: [.newVault]],
            help: "Replaces vaults that are there under the same id, and deletes their stored sets."
        ),
        Flag(
            name: .to,
            kind: .integer(0...9_999),
            scope: .only([.migrate]),
            fits: [.migrate: [.schema]],
            defaultText: "the last one",
            help: "The number of the migration to stop at."
        ),
        Flag(
            name: .status,
            kind: .none,
            scope: .only([.migrate]),
            help: "Lists every migration and when it was applied, and changes nothing."
        ),
        Flag(
            name: .yes,
            kind: .none,
            scope: .only([.devDatabase, .forget]),
            fits: [.devDatabase: [.reset]],
            help: "Deletes without asking; needed where nobody sits at a terminal."
        ),
        Flag(
            name: .allowWeakTLS,
            kind: .none,
            scope: .only(connecting),
            fits: [
                .run: [.vault, .everyVault], .refresh: [.storedRun], .explain: [.storedRun],
                .vault: Subject.allCases.filter { $0 != .template },
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
            scope: .only([.evaluate]),
            help: "A pipeline to compare with, taken as it is: --set and --experiment change the other one."
        ),
        Flag(
            name: .sweep,
            kind: .text("NODE.PARAMETER=A..B[:STEPS]"),
            scope: .only([.evaluate]),
            help: "Also finds the effect of one number along a range, everything else as it is."
        ),
        Flag(
            name: .report,
            kind: .file,
            scope: .only([.evaluate]),
            written: [.evaluate],
            help: "Writes one self-contained HTML page: verdict, gates, intervals, slices, changed vaults."
        ),
    ]
}
