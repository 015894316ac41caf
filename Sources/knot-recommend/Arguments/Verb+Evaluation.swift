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
