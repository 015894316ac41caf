extension Verb {
    private static let running: [ExitCode] = [
        .degradedUnderStrict, .short, .badInput, .notFound, .unavailable, .internalFault, .tryAgain, .notPermitted,
    ]

    /// The verbs that make choices or tell of them.
    static let ofTheEngine: [Verb] = [
        Verb(
            name: .run,
            summary: "makes a Choice of Three for one vault",
            synopsis: "(--fixture FILE | --vault ID)",
            description: """
                Runs the pipeline once and prints three recommendations with the reason for each. The same input, seed \
                and pipeline give the same bytes, with any number of threads. A fixture is a vault with its outside \
                world in one file; nothing of it is ever stored.
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
                    purpose: "the original's pipeline, explained",
                    command: "knot-recommend run --fixture fixtures/vaults/dev-01.json --pipeline classic --explain"
                ),
            ],
            exitCodes: running
        ),
        Verb(
            name: .refresh,
            summary: "re-rolls a set with a reason",
            synopsis: "--from RESULT.json --fixture FILE --reason REASON",
            description: """
                Makes a new set for the same occasion that heeds why the old one was turned down. Rejected items and \
                reasons accumulate over the rounds: pass the result of the last round to the next one. Without \
                --reject all three count as rejected.
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
