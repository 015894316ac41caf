package import Arguments
import Composition
import Console

extension Flag {
    /// All flags: those of single verbs first, then those of every verb.
    package static let all = ofSingleVerbs + ofEvaluation + ofTheQueue + ofTheDatabase + ofEveryVerb

    private static let byName = Dictionary(uniqueKeysWithValues: all.map { ($0.name, $0) })

    /// The entry of a name; a test holds that every name has one.
    package static func named(_ name: FlagName) -> Flag {
        guard let flag = byName[name] else { preconditionFailure("the flag \(name.typed) has no entry") }
        return flag
    }
}

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
            environment: "KNOT_PIPELINE",
            typedOnly: [.replay],
            isConfigurable: true,
            defaultText: "choice-of-three",
            defaultTexts: [.replay: "the recorded one"],
            help: "Pipeline: a shipped name, or a path to a `.json` file"
        ),
        Flag(
            name: .experiment,
            kind: .file,
            isOfEveryVerb: true,
            idle: VerbName.all(but: planning + [.doctor, .config]),
            environment: "KNOT_EXPERIMENT",
            typedOnly: [.replay, .impact],
            isConfigurable: true,
            help: "Patch file to apply to the pipeline"
        ),
        Flag(
            name: .set,
            kind: .parameter,
            isOfEveryVerb: true,
            repeatable: VerbName.allCases,
            idle: VerbName.all(but: planning + [.doctor]),
            offer: .parameters,
            help: "Pipeline parameter to override; can be repeated"
        ),
        Flag(
            name: .seed,
            kind: .unsigned,
            isOfEveryVerb: true,
            idle: VerbName.all(but: running + [.config]),
            environment: "KNOT_SEED",
            typedOnly: [.replay, .impact],
            isConfigurable: true,
            defaultText: "0",
            defaultTexts: [.replay, .impact].usually("the recorded one"),
            help: "Seed for everything random"
        ),
        Flag(
            name: .threads,
            kind: .integer(1...1_024),
            isOfEveryVerb: true,
            idle: VerbName.all(but: running + [.embed, .catalogue, .doctor, .config]),
            environment: "KNOT_THREADS",
            isConfigurable: true,
            defaultText: "one per core",
            help: "Number of threads; doesn't change the result"
        ),
        Flag(
            name: .deadline,
            kind: .duration,
            isOfEveryVerb: true,
            idle: VerbName.all(but: running + Flag.connecting + [.config]),
            environment: "KNOT_DEADLINE",
            isConfigurable: true,
            defaultText: "the pipeline's",
            defaultTexts: [
                .vault: "60s; new: 30s", .embed: "60s", .catalogue: "60s", .importVaults: "60s", .migrate: "1h",
            ]
            .merging([.hint, .history, .jobs, .feedback, .learn, .export, .forget].usually("60s")) { $1 },
            help: "Time limit, such as `500ms`, `2s` or `1m`"
        ),
        Flag(
            name: .kernels,
            kind: .choice(KernelChoice.words),
            value: "KERNELS",
            isOfEveryVerb: true,
            idle: VerbName.all(but: running + [.embed, .doctor, .config]),
            environment: "KNOT_KERNELS",
            isConfigurable: true,
            defaultText: "auto",
            help: "Vector kernels to use. `auto` picks the fastest; results are identical"
        ),
        Flag(
            name: .model,
            kind: .path(orWords: ModelChoice.words),
            value: "DIR|none|remote",
            isOfEveryVerb: true,
            idle: VerbName.all(
                but: running.filter { ![.replay, .impact].contains($0) } + [.embed, .catalogue, .doctor, .config]
            ),
            environment: "KNOT_MODEL",
            isConfigurable: true,
            defaultText: "the one that set-up gets",
            help: "Embedding model: a folder, `none` (match words only) or `remote` (send a fixture's texts to a "
                + "service)"
        ),
        Flag(
            name: .strict,
            kind: .none,
            isOfEveryVerb: true,
            idle: VerbName.all(but: [.run, .refresh, .replay, .evaluate, .impact, .config]),
            isConfigurable: true,
            defaultText: "false",
            help: "Exit with 10 if the result is degraded"
        ),
        Flag(name: .json, kind: .none, isOfEveryVerb: true, help: "Print JSON"),
        Flag(
            name: .quiet,
            kind: .none,
            isOfEveryVerb: true,
            isConfigurable: true,
            defaultText: "false",
            help: "Suppress progress and notes"
        ),
        Flag(
            name: .verbose,
            short: "v",
            kind: .none,
            isOfEveryVerb: true,
            isConfigurable: true,
            defaultText: "false",
            help: "Print more detail"
        ),
        Flag(
            name: .color,
            kind: .choice(ColourChoice.allCases.map(\.rawValue)),
            value: "WHEN",
            isOfEveryVerb: true,
            environment: "NO_COLOR",
            environmentMeaning: "never",
            isConfigurable: true,
            defaultText: "auto",
            help: "When to color the output"
        ),
        Flag(name: .help, short: "h", kind: .none, isOfEveryVerb: true, help: "Show this help"),
        Flag(
            name: .helpAll,
            kind: .none,
            isOfEveryVerb: true,
            help: "Show this help with shared options and exit codes"
        ),
    ]
}

extension [VerbName] {
    /// Returns one default for several verbs.
    func usually(_ text: String) -> [VerbName: String] { Dictionary(uniqueKeysWithValues: map { ($0, text) }) }
}
