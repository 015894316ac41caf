import Arguments
import Composition

extension Flag {
    /// The verbs that open a database somebody else may run.
    static let connecting: [VerbName] = [
        .run, .refresh, .explain, .vault, .hint, .history, .feedback, .learn, .embed, .catalogue, .importVaults,
        .export, .forget, .migrate, .doctor, .work, .runDue, .jobs,
    ]

    /// Flags that only verbs with a database take.
    static let ofTheDatabase: [Flag] = [
        Flag(
            name: .catalogue,
            kind: .path(orWords: []),
            kinds: [.catalogue: .folder],
            environment: "KNOT_CATALOGUE",
            isConfigurable: true,
            help: "More offers: a file of JSON lines, or a folder made by `catalogue build`"
        ),
        Flag(name: .vectors, kind: .file, help: "Embeddings of the offers, by offer ID"),
        Flag(name: .calibrate, kind: .none, help: "Measure what the similarities of another model mean"),
        Flag(
            name: .concurrency,
            kind: .integer(1...64),
            environment: "KNOT_CONCURRENCY",
            isConfigurable: true,
            defaultText: "two per thread",
            defaultTexts: [.work: "two per thread, at most 8"],
            help: "Number of vaults to process at once"
        ),
        Flag(name: .limit, kind: .integer(1...500), defaultText: "10", help: "Number of rows to list"),
        Flag(name: .after, kind: .text("ID"), help: "Last row of the previous page"),
        Flag(
            name: .source,
            kind: .text("NAME"),
            defaultText: "the file's name without its ending",
            help: "Source of the offers, such as a shop; without a colon"
        ),
        Flag(name: .replace, kind: .none, help: "Replace vaults with the same ID and delete their stored sets"),
        Flag(
            name: .to,
            kind: .integer(0...9_999),
            kinds: [.rehearse: .day],
            defaultText: "the last one",
            defaultTexts: [.rehearse: "13 days after `--from`"],
            help: "Number of the last migration to apply"
        ),
        Flag(name: .status, kind: .none, help: "List all migrations and when each was applied"),
        Flag(name: .yes, kind: .none, help: "Delete without asking; required without a terminal"),
        Flag(
            name: .allowWeakTLS,
            kind: .none,
            isConfigurable: true,
            defaultText: "false",
            help: "Don't verify a remote database server's certificate"
        ),
    ]
}

extension Flag {
    /// Flags that only `evaluate` takes.
    static let ofEvaluation: [Flag] = [
        Flag(
            name: .against,
            kind: .pipeline,
            help: "Pipeline to compare with; `--set` and `--experiment` don't change this one"
        ),
        Flag(name: .base, kind: .pipeline, defaultText: "each recording's own", help: "Pipeline before the change"),
        Flag(
            name: .changed,
            kind: .pipeline,
            defaultText: "the base",
            help: "Pipeline after the change; `--experiment` and `--set` are applied to it"
        ),
        Flag(name: .sweep, kind: .text("NODE.PARAMETER=A..B[:STEPS]"), help: "Also vary one parameter over a range"),
        Flag(name: .report, kind: .file, written: [.evaluate], help: "Also write an HTML report to a file"),
    ]
}
