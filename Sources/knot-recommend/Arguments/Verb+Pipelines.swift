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

extension Verb {
    /// The verbs that help with the others.
    static let ofSupport: [Verb] = [
        Verb(
            name: .config,
            summary: "shows each setting and what set it",
            description: """
                A flag wins over the environment, the environment over the configuration file, the file over the default. \
                The file is JSON: KNOT_CONFIG names it, else knot-recommend/config.json in XDG_CONFIG_HOME or \
                ~/.config. Paths in it are relative to it. Below the settings it shows what else decides a call: the \
                database, the folders, the model that is found.
                """,
            examples: [
                Example(purpose: "all settings", command: "knot-recommend config"),
                Example(purpose: "with one from a flag", command: "knot-recommend config --threads 4 --json"),
            ]
        ),
        Verb(
            name: .doctor,
            summary: "checks what a run needs on this machine",
            description: """
                Looks at everything a run would use: configuration, time zones, memory, places to write, the chosen \
                pipeline with what is laid over it, the embedding model (which is loaded and tried), the cache, the \
                exchange rates and the database. A warning is not a failure; a failure exits 69.
                """,
            examples: [
                Example(purpose: "is everything there", command: "knot-recommend doctor"),
                Example(purpose: "for a monitor", command: "knot-recommend doctor --json"),
            ],
            exitCodes: [.unavailable]
        ),
        Verb(
            name: .completions,
            summary: "prints a completion script for a shell",
            operand: Operand(kind: .choice(["bash", "zsh", "fish"]), name: "SHELL", isRepeatable: false),
            description: """
                Prints a script that completes verbs, flags, files, ids of vaults and names for --set in bash, zsh or fish. \
                make install puts the scripts where the shells look for them.
                """,
            examples: [
                Example(purpose: "in bash, for this session", command: "source <(knot-recommend completions bash)"),
                Example(
                    purpose: "in fish, for good",
                    command: "knot-recommend completions fish > ~/.config/fish/completions/knot-recommend.fish"
                ),
            ],
            readsSettings: false
        ),
        Verb(
            name: .version,
            summary: "prints the version",
            description: "Prints the version of this program and of the formats it writes.",
            examples: [
                Example(purpose: "for a person", command: "knot-recommend version"),
                Example(purpose: "for a program", command: "knot-recommend version --json"),
            ],
            readsSettings: false
        ),
        Verb(
            name: .help,
            summary: "explains a verb",
            operand: Operand(kind: .choice(VerbName.allCases.map(\.rawValue)), name: "VERB", isRepeatable: false),
            description: "Prints the verbs, or everything about one of them.",
            examples: [
                Example(purpose: "everything about run", command: "knot-recommend help run"),
                Example(purpose: "the tables of the README", command: "knot-recommend help --markdown"),
                Example(purpose: "the manual page of run", command: "knot-recommend help run --man"),
            ],
            readsSettings: false
        ),
    ]
}
