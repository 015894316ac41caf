import JSONDocument

/// What an evaluation came to, in every form that may be asked for.
struct EvaluationReport: Sendable {
    /// One JSON object a line: every vault of every pipeline, then the summary.
    let rows: [JSONValue]
    /// Lines that are safe to print, of at most 80 columns.
    let lines: [String]
    /// Every vault of every pipeline as comma-separated values; made only when they are asked for.
    let csv: String?
    /// The page; made only when it is asked for.
    let page: String?
    /// Whether every gate of the pipeline is at zero.
    let keepsGates: Bool
}
