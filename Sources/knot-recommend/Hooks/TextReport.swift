import Evaluation
import JSONDocument

/// An answer in both forms: as text for people and as one JSON value.
struct TextReport: Sendable {
    let json: JSONValue
    /// Lines that are safe to print, of at most 80 columns.
    let lines: [String]
    var exitCode = ExitCode.done
    /// The same for other programs that know tables only; nil where there is none.
    var table: CSVTable?
}
