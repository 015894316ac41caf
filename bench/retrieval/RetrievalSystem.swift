/// A way of scoring documents for a query.
package enum RetrievalSystem: Hashable, Sendable {
    /// No ranking at all: every document scores the same.
    case constant
    /// No ranking at all: documents in an order drawn by chance.
    case random
    /// BM25 over lower-case words as they stand, in one field.
    case plainWords
    /// BM25 over our stems, the title three times and the tags twice.
    case words
    /// Cosines of an encoder's vectors; the name says with which precision.
    case dense(String)
    /// Half the words' scores and half the cosines, both stretched to 0...1 over what is ranked.
    case sum(String)
    /// The sum of reciprocal ranks of both.
    case ranks(String)
    /// Both as a catalogue on the disk finds and fuses them for a run.
    case catalogue(String)

    package var name: String {
        switch self {
        case .constant: "no-op: all equal"
        case .random: "no-op: random"
        case .plainWords: "BM25, plain words"
        case .words: "BM25, ours"
        case .dense(let precision): "dense \(precision)"
        case .sum(let precision): "hybrid sum \(precision)"
        case .ranks(let precision): "hybrid ranks \(precision)"
        case .catalogue(let precision): "catalogue \(precision)"
        }
    }

    package var isNoOp: Bool { self == .constant || self == .random }

    var precision: String? {
        switch self {
        case .dense(let precision), .sum(let precision), .ranks(let precision), .catalogue(let precision): precision
        default: nil
        }
    }
}
