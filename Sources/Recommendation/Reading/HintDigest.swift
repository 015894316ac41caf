package import KnotDomain
import TextEncoding

/// The hints in order of weight, and the phrases that later stages search and filter with.
package struct HintDigest: Sendable {
    /// One hint with what it means and how much it steers this run.
    package struct RankedHint: Sendable {
        package let hint: Hint
        package let reading: HintReading
        /// 0 to 1.
        package let weight: Double
        /// The words of the hint's own text.
        let words: TokenizedText
        /// The content stems of each phrase that serves it, in their order, as fingerprints.
        let serveStems: [[UInt64]]
    }

    /// A short text to look for, and the hint it comes from; nil for the vault as a whole.
    package struct Phrase: Sendable, Hashable {
        package let text: String
        package let weight: Double
        package let hint: HintID?
        /// The hint's own text: private, matched but never sent or shown.
        package let isOwnWords: Bool
        /// Content stems of what would serve, as fingerprints; empty for what is ruled out, which is matched thing by thing.
        let stems: [UInt64]

        init(text: String, weight: Double, hint: HintID?, isOwnWords: Bool = false, stems: [UInt64] = []) {
            self.text = text
            self.weight = weight
            self.hint = hint
            self.isOwnWords = isOwnWords
            self.stems = stems
        }
    }

    /// By descending weight, ties by id.
    package let ranked: [RankedHint]
    package let serves: [Phrase]
    package let avoids: [Phrase]
}
