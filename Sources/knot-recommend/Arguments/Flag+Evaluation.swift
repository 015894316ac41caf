extension Flag {
    /// What only `evaluate` takes.
    static let ofEvaluation: [Flag] = [
        Flag(
            name: .against,
            kind: .pipeline,
            scope: .only([.evaluate]),
            help: "A pipeline to compare with, taken as it is: --set and --experiment change the other one."
        ),
        Flag(
            name: .sweep,
            kind: .text("NODE.PARAMETER=A..B[:STEPS]"),
            scope: .only([.evaluate]),
            help: "Also finds the effect of one number along a range, everything else as it is."
        ),
        Flag(
            name: .report,
            kind: .file,
            scope: .only([.evaluate]),
            written: [.evaluate],
            help: "Writes one self-contained HTML page: verdict, gates, intervals, slices, changed vaults."
        ),
    ]
}
