extension Verb {
    /// The verbs that look at pipelines and judge them.
    static let ofPipelines: [Verb] = [
        Verb(
            name: .check,
            summary: "lists every problem of pipeline files",
            operand: Operand(kind: .pipeline, name: "PIPELINE", isRepeatable: true),
            description: """
                Reads pipelines as a run would, with patches laid over them, and lists all problems at once, each with \
                its place and what would fit. Without a name it checks the pipeline that a run would use.
                """,
            examples: [
                Example(
                    purpose: "the shipped pipelines",
                    command: "knot-recommend check choice-of-three classic"
                ),
                Example(
                    purpose: "an experiment on top of a pipeline",
                    command: "knot-recommend check --experiment my-experiment.json"
                ),
            ]
        ),
        Verb(
            name: .expand,
            summary: "prints a pipeline with everything it extends and is patched with",
            operand: Operand(kind: .pipeline, name: "PIPELINE", isRepeatable: false),
            description: """
                Prints the merged definition that a run would use. Reading it gives the same plan without any other \
                file; the plan's identity is the hash of this form and the stages' revisions.
                """,
            examples: [
                Example(purpose: "our pipeline in full", command: "knot-recommend expand choice-of-three"),
                Example(
                    purpose: "with one weight changed",
                    command: "knot-recommend expand choice-of-three --set combine.hints=0.7"
                ),
            ]
        ),
        Verb(
            name: .graph,
            summary: "draws a pipeline as Mermaid or DOT",
            operand: Operand(kind: .pipeline, name: "PIPELINE", isRepeatable: false),
            description:
                "Prints the stages of a pipeline and what flows between them, to be drawn by Mermaid or Graphviz.",
            examples: [
                Example(purpose: "for a README", command: "knot-recommend graph choice-of-three"),
                Example(purpose: "for Graphviz", command: "knot-recommend graph classic --format dot"),
            ]
        ),
        Verb(
            name: .judge,
            summary: "prints the figures of the judged vaults",
            synopsis: "[--fixtures DIR]",
            description: """
                Runs every judged vault of a folder and prints grades, forbidden items and the rules kept, one row for \
                each pipeline and kind of readings. --pipeline and --readings may be repeated; every pair is a row.
                """,
            examples: [
                Example(purpose: "our pipeline on the vaults that come with it", command: "knot-recommend judge"),
                Example(
                    purpose: "both pipelines, without recorded readings",
                    command: "knot-recommend judge --fixtures fixtures/vaults --pipeline choice-of-three "
                        + "--pipeline classic --readings rules"
                ),
            ],
            exitCodes: [.badInput, .notFound, .unavailable, .internalFault, .tryAgain]
        ),
    ]
}
