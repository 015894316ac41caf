extension Verb {
    private static let running: [ExitCode] = [
        .degradedUnderStrict, .short, .badInput, .notFound, .unavailable, .internalFault, .tryAgain, .notPermitted,
    ]

    /// The verbs that make choices or tell of them.
    static let ofTheEngine: [Verb] = [
        Verb(
            name: .run,
            summary: "makes a Choice of Three for one vault",
            synopsis: "(--fixture FILE | --vault ID | --all)",
            description: """
                Runs the pipeline once and prints three recommendations with the reason for each. The same input, seed \
                and pipeline give the same bytes, with any number of threads. A fixture is a vault with its outside \
                world in one file; nothing of it is ever stored. The set of a vault in the database is stored exactly \
                once: asking again with the same --request returns the first set. With --all every vault is chosen \
                for, and a vault that fails is listed and does not stop the others: the exit code is then that of its \
                failure (of the lowest id where several failed), 11 where some were only short, and 0 where every one \
                has its set. -v names the short ones too, --json always.
                """,
            examples: [
                Example(
                    purpose: "the choice for the occasion the fixture asks for",
                    command: "knot-recommend run --fixture fixtures/vaults/dev-01.json"
                ),
                Example(
                    purpose: "the same as JSON, with a recording to replay later",
                    command: "knot-recommend run --fixture fixtures/vaults/dev-01.json --json --record run.cassette"
                ),
                Example(
                    purpose: "another occasion, and one weight changed",
                    command: "knot-recommend run --fixture fixtures/vaults/dev-01.json --occasion minor_occasion "
                        + "--set combine.hints=0.7"
                ),
                Example(
                    purpose: "a vault in the database, tried without storing anything",
                    command: "knot-recommend run --vault 9f8c6a52-2f0e-4a3c-9d3f-1c5b7e0a4d21 --dry-run"
                ),
            ],
            exitCodes: running
        ),
        Verb(
            name: .refresh,
            summary: "re-rolls a set with a reason",
            synopsis: "(--run ID | --from RESULT.json --fixture FILE) --reason REASON",
            description: """
                Makes a new set for the same occasion that heeds why the old one was turned down. Rejected items and \
                reasons accumulate over the rounds: pass the result of the last round to the next one. Without \
                --reject all three count as rejected. The new set of a stored run is stored beside it and says which \
                one it takes the place of.
                """,
            examples: [
                Example(
                    purpose: "all three cost too much",
                    command: "knot-recommend refresh --from result.json --fixture fixtures/vaults/dev-01.json "
                        + "--reason too_expensive"
                ),
                Example(
                    purpose: "keep the first, replace the others",
                    command: "knot-recommend refresh --from result.json --fixture fixtures/vaults/dev-01.json "
                        + "--reason not_their_style --reject 2 --reject 3"
                ),
                Example(
                    purpose: "a stored run",
                    command: "knot-recommend refresh --run 3b0d6c1e-77a1-8e52-9b1c-0a9f4be1c2d3 --reason show_different"
                ),
            ],
            exitCodes: running
        ),
        Verb(
            name: .explain,
            summary: "says why these three, or why not another",
            synopsis: "(--fixture FILE | --record FILE | --run ID) [--candidate ID]",
            description: """
                Tells which evidence and which weights made the set. With --candidate it tells the life of one candidate \
                through the stages and the smallest single change of a weight, threshold or filter verdict that would \
                have chosen it, confirmed by running again.
                """,
            examples: [
                Example(
                    purpose: "why these three",
                    command: "knot-recommend explain --fixture fixtures/vaults/dev-01.json"
                ),
                Example(
                    purpose: "why not that one",
                    command: "knot-recommend explain --fixture fixtures/vaults/dev-01.json --candidate c07"
                ),
            ],
            exitCodes: running
        ),
        Verb(
            name: .replay,
            summary: "runs a recording again, also with another pipeline",
            operand: Operand(kind: .file, name: "CASSETTE", isRepeatable: false),
            description: """
                Runs every stage again on what was recorded of the outside world; nothing outside is asked and nothing \
                is stored. With the recorded pipeline the result is the same to the byte. With --pipeline, --experiment \
                or --set it shows what that change would have chosen on the same day.
                """,
            examples: [
                Example(purpose: "the same result again", command: "knot-recommend replay run.cassette"),
                Example(
                    purpose: "what the original would have chosen",
                    command: "knot-recommend replay run.cassette --pipeline classic"
                ),
            ],
            exitCodes: running
        ),
    ]
}

extension Verb {
    /// The verb that measures.
    static let ofEvaluation: [Verb] = [
        Verb(
            name: .evaluate,
            summary: "measures a pipeline on judged vaults, alone or against another",
            operand: Operand(kind: .path(orWords: []), name: "FILE|DIR", isRepeatable: true),
            description: """
                Prints gates first (what must never happen), then figures with 95 % bootstrap intervals and slices with \
                how many vaults each rests on. With --against every figure is compared vault by vault: a paired \
                sign-flip test, corrected by Holm, and whether the new pipeline is no worse by a stated margin. --json \
                prints one JSON object a line: each vault, then a summary. The same seed gives the same bytes. With \
                --strict a broken gate exits 10; otherwise what was measured never changes the exit code. A recording \
                (run --record; in a folder *.cassette) counts as a vault with the world that was recorded; a fixture of \
                --fixtures with the same vault, occasion and time judges it. What is not judged counts in what needs no judge.
                """,
            examples: [
                Example(
                    purpose: "against the original, with a page to read",
                    command: "knot-recommend evaluate fixtures/vaults --against classic --report report.html"
                ),
                Example(
                    purpose: "the effect of one weight",
                    command: "knot-recommend evaluate --sweep combine.hints=0..1:11"
                ),
                Example(
                    purpose: "what was recorded, under another pipeline",
                    command: "knot-recommend evaluate run.cassette --against classic"
                ),
                Example(
                    purpose: "fail a build when a gate breaks",
                    command: "knot-recommend evaluate --strict --quiet"
                ),
            ],
            exitCodes: [.degradedUnderStrict, .badInput, .notFound, .unavailable, .internalFault, .tryAgain]
        )
    ]
}
