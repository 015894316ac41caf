import Arguments
import Composition
import Console

extension Flag {
    /// The verbs that run a pipeline.
    private static let running: [VerbName] = [
        .run, .refresh, .explain, .replay, .judge, .evaluate, .impact, .work, .runDue,
    ]
    /// Those, and the verbs that look at one.
    private static let planning = running + [.check, .expand, .graph]

    /// What every verb takes.
    static let ofEveryVerb: [Flag] = [
        Flag(
            name: .pipeline,
            kind: .pipeline,
            isOfEveryVerb: true,
            repeatable: [.judge],
            idle: VerbName.all(but: planning.filter { $0 != .impact } + [.doctor, .config, .completions]),
            fits: [.explain: [.fixture, .storedRun], .completions: [.offers]],
            environment: "KNOT_PIPELINE",
            isConfigurable: true,
            defaultText: "choice-of-three",
            help: "The pipeline: a shipped name, or a file when it has a slash or ends in .json."
        ),
        Flag(
            name: .experiment,
            kind: .file,
            isOfEveryVerb: true,
            idle: VerbName.all(but: planning + [.doctor, .config]),
            environment: "KNOT_EXPERIMENT",
            isConfigurable: true,
            help: "A patch laid over the pipeline."
        ),
        Flag(
            name: .set,
            kind: .parameter,
            isOfEveryVerb: true,
            repeatable: VerbName.allCases,
            idle: VerbName.all(but: planning + [.doctor]),
            offer: .parameters,
            help: "Changes one parameter of one node; may be repeated, and is laid over everything else."
        ),
        Flag(
            name: .seed,
            kind: .unsigned,
            isOfEveryVerb: true,
            idle: VerbName.all(but: running + [.config]),
            fits: [.explain: [.fixture, .storedRun]],
            environment: "KNOT_SEED",
            isConfigurable: true,
            defaultText: "0",
            help: "The seed of everything random."
        ),
        Flag(
            name: .threads,
            kind: .integer(1...1_024),
            isOfEveryVerb: true,
            idle: VerbName.all(but: running + [.embed, .catalogue, .doctor, .config]),
            environment: "KNOT_THREADS",
            isConfigurable: true,
            defaultText: "one per core",
            help: "How many threads run stages; the result is the same with any number."
        ),
        Flag(
            name: .deadline,
            kind: .duration,
            isOfEveryVerb: true,
            idle: VerbName.all(but: running + Flag.connecting + [.config]),
            environment: "KNOT_DEADLINE",
            isConfigurable: true,
            defaultText: "the pipeline's",
            help: "How long a run may take."
        ),
        Flag(
            name: .kernels,
            kind: .choice(KernelChoice.words),
            isOfEveryVerb: true,
            idle: VerbName.all(but: running + [.embed, .doctor, .config]),
            environment: "KNOT_KERNELS",
            isConfigurable: true,
            defaultText: "auto",
            help: "Which vector kernels compute similarities. All find the same, and other ones than auto more slowly."
        ),
        Flag(
            name: .model,
            kind: .path(orWords: ModelChoice.words),
            isOfEveryVerb: true,
            idle: VerbName.all(
                but: running.filter { ![.replay, .impact].contains($0) } + [.embed, .catalogue, .doctor, .config]
            ),
            fits: [.explain: [.fixture, .storedRun]],
            environment: "KNOT_MODEL",
            isConfigurable: true,
            defaultText: "the one that set-up gets",
            help: "The folder of the embedding model, none to go by words only, or remote to tell a service the texts."
        ),
        Flag(
            name: .strict,
            kind: .none,
            isOfEveryVerb: true,
            idle: VerbName.all(but: [.run, .refresh, .replay, .evaluate, .impact, .config]),
            isConfigurable: true,
            defaultText: "false",
            help: "Exit 10 when the result is degraded."
        ),
        Flag(name: .json, kind: .none, isOfEveryVerb: true, help: "Print JSON on standard output."),
        Flag(
            name: .quiet,
            kind: .none,
            isOfEveryVerb: true,
            isConfigurable: true,
            defaultText: "false",
            help: "Print no progress and no notes, only results and errors."
        ),
        Flag(
            name: .verbose,
            short: "v",
            kind: .none,
            isOfEveryVerb: true,
            isConfigurable: true,
            defaultText: "false",
            help: "Print more: evidence, scores and notes."
        ),
        Flag(
            name: .color,
            kind: .choice(ColourChoice.allCases.map(\.rawValue)),
            isOfEveryVerb: true,
            environment: "NO_COLOR",
            environmentMeaning: "never",
            isConfigurable: true,
            defaultText: "auto",
            help: "When to colour the output."
        ),
        Flag(name: .help, short: "h", kind: .none, isOfEveryVerb: true, help: "Print the verb's help."),
        Flag(
            name: .helpAll,
            kind: .none,
            isOfEveryVerb: true,
            help: "Print the verb's help with the flags that many verbs share and the exit codes."
        ),
    ]
}
