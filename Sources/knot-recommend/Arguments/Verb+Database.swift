extension Verb {
    private static let reaching: [ExitCode] = [.unavailable, .tryAgain, .internalFault]
    private static let keeping = reaching + [.badInput]

    /// The verbs that only make sense with a database.
    static let ofTheDatabase: [Verb] = [
        Verb(
            name: .vault,
            summary: "makes, lists, shows and changes vaults of one's own",
            operand: Operand(kind: .choice(VaultVerbOptions.actions), name: "ACTION", isRepeatable: false),
            description: """
                vault new stores a vault: from a file, or by asking at a terminal. vault new --template prints one to \
                fill in; ids may be left out. A vault that is there under the same id is refused without --replace. The \
                answers that are typed are checked at once and kept in a private draft until the vault is stored. vault \
                list names the vaults there are, vault show prints one with the ids of its milestones, and vault edit \
                changes what a file names of it, as vault show --json prints it, and leaves the rest; hints have a verb of \
                their own.
                """,
            examples: [
                Example(purpose: "a vault to fill in", command: "knot-recommend vault new --template > mine.json"),
                Example(purpose: "store it", command: "knot-recommend vault new --file mine.json"),
                Example(
                    purpose: "look at it",
                    command: "knot-recommend vault show --vault 9f8c6a52-2f0e-4a3c-9d3f-1c5b7e0a4d21"
                ),
                Example(
                    purpose: "they have moved",
                    command: "echo '{\"timezone\": \"Europe/Lisbon\"}' | knot-recommend vault edit --file - "
                        + "--vault 9f8c6a52-2f0e-4a3c-9d3f-1c5b7e0a4d21"
                ),
            ],
            exitCodes: keeping
        ),
        Verb(
            name: .hint,
            summary: "adds, lists, changes and removes what somebody noticed",
            synopsis: "--vault ID",
            operand: Operand(kind: .choice(HintVerbOptions.actions), name: "ACTION", isRepeatable: false),
            description: """
                hint add stores one hint, or one for each line of standard input. At a terminal it asks. hint list \
                names the hints of a vault, hint edit gives one another text, and hint remove deletes it.
                """,
            examples: [
                Example(
                    purpose: "what you just heard",
                    command:
                        "echo 'keeps borrowing my scarf' | knot-recommend hint add --vault 9f8c6a52-2f0e-4a3c-9d3f-1c5b7e0a4d21"
                ),
                Example(
                    purpose: "it was something else that she lost",
                    command: "knot-recommend hint edit --vault 9f8c6a52-2f0e-4a3c-9d3f-1c5b7e0a4d21 "
                        + "--hint 5d0c7a1e-8d55-4f0e-9a3b-2f6c1e9b7a10 --text gloves"
                ),
                Example(
                    purpose: "a file of notes, one a line",
                    command: "cat notes.txt | knot-recommend hint add --vault 9f8c6a52-2f0e-4a3c-9d3f-1c5b7e0a4d21"
                ),
            ],
            exitCodes: keeping
        ),
        Verb(
            name: .history,
            summary: "lists the stored sets of a vault, shows one, or compares two",
            synopsis: "(--vault ID | --run ID | --diff A B)",
            operand: Operand(kind: .text("ID"), name: "B", isRepeatable: false),
            description: """
                With --vault newest first, with each run's id for explain and refresh. With --run the cards of one set as \
                they were stored. With --diff what two sets were made from and which cards stayed, went and came.
                """,
            examples: [
                Example(
                    purpose: "the last ten",
                    command: "knot-recommend history --vault 9f8c6a52-2f0e-4a3c-9d3f-1c5b7e0a4d21"
                ),
                Example(
                    purpose: "for a program",
                    command: "knot-recommend history --vault 9f8c6a52-2f0e-4a3c-9d3f-1c5b7e0a4d21 --limit 100 --json"
                ),
                Example(
                    purpose: "one set, every card of it",
                    command: "knot-recommend history --run 3b0d6c1e-77a1-8e52-9b1c-0a9f4be1c2d3"
                ),
                Example(
                    purpose: "what a refresh changed",
                    command: "knot-recommend history --diff 3b0d6c1e-77a1-8e52-9b1c-0a9f4be1c2d3 "
                        + "7c1f0b2a-5e64-8d39-a1b7-2f8e3c4d5a60"
                ),
            ],
            exitCodes: keeping
        ),
        Verb(
            name: .feedback,
            summary: "notes what became of a choice",
            synopsis: "--run ID --position N",
            operand: Operand(kind: .choice(FeedbackVerbOptions.words), name: "WORD", isRepeatable: false),
            description: """
                Keeps what a person says of one of the three choices of a stored run: liked, disliked, given, returned \
                or already-has. learn reads it, and the next run leaves out what was disliked, returned or there \
                already, with what comes from the same shop. Saying the same again changes nothing; with --request the \
                request is what counts, and another word under it is refused.
                """,
            examples: [
                Example(
                    purpose: "the second was a success",
                    command: "knot-recommend feedback given --run 3b0d6c1e-77a1-8e52-9b1c-0a9f4be1c2d3 --position 2"
                ),
                Example(
                    purpose: "the first is at home already",
                    command:
                        "knot-recommend feedback already-has --run 3b0d6c1e-77a1-8e52-9b1c-0a9f4be1c2d3 --position 1"
                ),
            ],
            exitCodes: keeping
        ),
        Verb(
            name: .learn,
            summary: "updates weights from feedback",
            synopsis: "(--vault ID | --all)",
            description: """
                Reads what people did with what they were shown and stores what that says of their tastes, with the \
                reason for each weight. Old feedback counts less. Learning twice changes nothing.
                """,
            examples: [
                Example(
                    purpose: "one vault",
                    command: "knot-recommend learn --vault 9f8c6a52-2f0e-4a3c-9d3f-1c5b7e0a4d21"
                ),
                Example(purpose: "every vault", command: "knot-recommend learn --all"),
            ],
            exitCodes: keeping
        ),
        Verb(
            name: .embed,
            summary: "gives hints and items the vectors they are found by",
            synopsis: "(--vault ID | --all | --catalogue FILE | --calibrate)",
            description: """
                Embeds every hint and every item of the catalogue that has no embedding of this program's model yet and \
                stores it with the model's name; those of a file's items are kept in the cache folder. Stopped at any \
                moment, it goes on where it was; what changes meanwhile is left for the next time. A model other than \
                the one that set-up gets must be calibrated once before runs compare by its vectors.
                """,
            examples: [
                Example(
                    purpose: "one vault",
                    command: "knot-recommend embed --vault 9f8c6a52-2f0e-4a3c-9d3f-1c5b7e0a4d21"
                ),
                Example(purpose: "every vault, and what is for everybody", command: "knot-recommend embed --all"),
                Example(
                    purpose: "a file of candidates",
                    command: "knot-recommend embed --catalogue fixtures/catalogue.jsonl"
                ),
                Example(
                    purpose: "another model, once before its first run",
                    command: "knot-recommend embed --calibrate --model DIR"
                ),
            ],
            exitCodes: keeping
        ),
        Verb(
            name: .importVaults,
            summary: "brings fixtures into the database",
            operand: Operand(kind: .path(orWords: []), name: "FILE|DIR", isRepeatable: true),
            description: """
                Stores each fixture's vault, its history and its candidates, in one transaction a file. The same file a \
                second time changes nothing; other contents under a known id are refused without --replace. A bad file \
                is listed with all its problems and does not stop the others.
                """,
            examples: [
                Example(purpose: "the judged vaults", command: "knot-recommend import fixtures/vaults"),
                Example(purpose: "one file again", command: "knot-recommend import vault.json --replace"),
            ],
            exitCodes: keeping
        ),
        Verb(
            name: .export,
            summary: "prints a vault as a fixture, or everything of its person",
            synopsis: "--vault ID [--all]",
            description: """
                Prints JSON: the vault as an imported file had it, or with --all everything the database holds of the \
                person, table by table.
                """,
            examples: [
                Example(
                    purpose: "a copy of a vault",
                    command: "knot-recommend export --vault 9f8c6a52-2f0e-4a3c-9d3f-1c5b7e0a4d21 > vault.json"
                ),
                Example(
                    purpose: "a person asks for their data",
                    command: "knot-recommend export --vault 9f8c6a52-2f0e-4a3c-9d3f-1c5b7e0a4d21 --all"
                ),
            ],
            exitCodes: keeping
        ),
        Verb(
            name: .forget,
            summary: "deletes a vault and everything about it",
            synopsis: "--vault ID",
            description: """
                Deletes the vault with its hints, readings, embeddings, sets and caches, and the recordings and traces \
                of it that this program wrote on this machine, and says what it removed. At a terminal it lists what \
                will go and asks; elsewhere it needs --yes. The account stays; it is the app's.
                """,
            examples: [
                Example(
                    purpose: "what would go",
                    command: "knot-recommend forget --vault 9f8c6a52-2f0e-4a3c-9d3f-1c5b7e0a4d21 --dry-run"
                ),
                Example(
                    purpose: "let it go",
                    command: "knot-recommend forget --vault 9f8c6a52-2f0e-4a3c-9d3f-1c5b7e0a4d21 --yes"
                ),
            ],
            exitCodes: keeping
        ),
        Verb(
            name: .migrate,
            summary: "brings the database's schema up to this program",
            description: """
                Applies the migrations that the database lacks, each in a transaction of its own; two at once are safe. \
                Applied files are kept with their checksums, and a changed one is refused. The database is DATABASE_URL, \
                else what the PG* variables name, else the dev database where it runs. PostgreSQL 16 or later with \
                pgvector 0.7 or later is needed. Tables of the app that are there already, just as migrations 1 to \
                12 make them, are adopted with their data; where one differs, it is refused and nothing is changed.
                """,
            examples: [
                Example(purpose: "everything that is missing", command: "knot-recommend migrate"),
                Example(purpose: "what would be done", command: "knot-recommend migrate --dry-run"),
                Example(purpose: "how it stands", command: "knot-recommend migrate --status"),
            ],
            exitCodes: reaching
        ),
        Verb(
            name: .devDatabase,
            summary: "runs a PostgreSQL of its own for who has none",
            operand: Operand(
                kind: .choice(DevDatabaseVerbOptions.Action.allCases.map(\.rawValue)),
                name: "ACTION",
                isRepeatable: false
            ),
            description: """
                Actions: start, stop, status, url and reset. Starts PostgreSQL with pgvector in a private folder \
                (KNOT_DEV_DB, else knot-recommend/dev-db in the user's data folder; /var/lib for root), reachable by its \
                Unix socket only, as an unprivileged user when root starts it. No other server is ever touched. Reset \
                deletes all data, after asking at a terminal, elsewhere only with --yes. Status exits 69 where nothing runs.
                """,
            examples: [
                Example(purpose: "a database to work with", command: "knot-recommend dev-db start"),
                Example(purpose: "its address, for psql", command: "knot-recommend dev-db url"),
                Example(purpose: "the end of it", command: "knot-recommend dev-db stop"),
            ],
            exitCodes: reaching
        ),
    ]
}
