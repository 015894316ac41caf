extension Flag {
    /// What every verb takes.
    static let ofEveryVerb: [Flag] = [
        Flag(
            name: .pipeline,
            kind: .pipeline,
            scope: .every,
            repeatable: [.judge],
            environment: "KNOT_PIPELINE",
            isConfigurable: true,
            defaultText: "choice-of-three",
            help: "The pipeline: a shipped name, or a file when it has a slash or ends in .json."
        ),
        Flag(
            name: .experiment,
            kind: .file,
            scope: .every,
            environment: "KNOT_EXPERIMENT",
            isConfigurable: true,
            help: "A patch laid over the pipeline."
        ),
        Flag(
            name: .set,
            kind: .parameter,
            scope: .every,
            repeatable: VerbName.allCases,
            help: "Changes one parameter of one node; may be repeated, and is laid over everything else."
        ),
        Flag(
            name: .seed,
            kind: .unsigned,
            scope: .every,
            environment: "KNOT_SEED",
            isConfigurable: true,
            defaultText: "0",
            help: "The seed of everything random."
        ),
        Flag(
            name: .threads,
            kind: .integer(1...1_024),
            scope: .every,
            environment: "KNOT_THREADS",
            isConfigurable: true,
            defaultText: "one per core",
            help: "How many threads run stages; the result is the same with any number."
        ),
        Flag(
            name: .deadline,
            kind: .duration,
            scope: .every,
            environment: "KNOT_DEADLINE",
            isConfigurable: true,
            defaultText: "the pipeline's",
            help: "How long a run may take."
        ),
        Flag(
            name: .kernels,
            kind: .choice(KernelChoice.allCases.map(\.rawValue)),
            scope: .every,
            environment: "KNOT_KERNELS",
            isConfigurable: true,
            defaultText: "auto",
            help: "Which vector kernels compute similarities."
        ),
        Flag(
            name: .model,
            kind: .path(orWords: ModelChoice.words),
            scope: .every,
            environment: "KNOT_MODEL",
            isConfigurable: true,
            defaultText: "the one that set-up gets",
            help: "The folder of the embedding model, or none to go by words only."
        ),
        Flag(
            name: .strict,
            kind: .none,
            scope: .every,
            isConfigurable: true,
            defaultText: "false",
            help: "Exit 10 when the result is degraded."
        ),
        Flag(name: .json, kind: .none, scope: .every, help: "Print JSON on standard output."),
        Flag(
            name: .quiet,
            kind: .none,
            scope: .every,
            isConfigurable: true,
            defaultText: "false",
            help: "Print no progress and no notes, only results and errors."
        ),
        Flag(
            name: .verbose,
            short: "v",
            kind: .none,
            scope: .every,
            isConfigurable: true,
            defaultText: "false",
            help: "Print more: evidence, scores and notes."
        ),
        Flag(
            name: .color,
            kind: .choice(ColourChoice.allCases.map(\.rawValue)),
            scope: .every,
            environment: "NO_COLOR",
            environmentMeaning: "never",
            isConfigurable: true,
            defaultText: "auto",
            help: "When to colour the output."
        ),
        Flag(name: .help, short: "h", kind: .none, scope: .every, help: "Print the verb's help."),
    ]
}
