import EmbeddedFiles
import JSONDocument

/// How telling words are wherever they stand: a fixed table, so that one text's weight never hangs on which others are
/// ranked with it.
///
/// A word that nine listings in ten have says nothing of a thing, and one that hardly any has says most. The shares are
/// half what public counts of English words let one expect of a listing, and half what listings of no judged vault hold;
/// `bench/knot-bench/WordWeightsBench.swift` makes the file of them and says how.
package final class WordWeights: Sendable {
    /// The name of the file format that this code reads.
    package static let format = "knot.word_weights/1"

    private let numbers: FingerprintTable
    private let weights: [Double]
    /// The weight of a word that is not in the table: of the rarest.
    package let rarest: Double
    /// The words of an ordinary listing, those of the title three times and those of the tags twice.
    package let usualLength: Double

    /// The weight of the word whose stem has this fingerprint.
    package func weight(of fingerprint: UInt64) -> Double { numbers[fingerprint].map { weights[$0] } ?? rarest }

    /// The weights of several stems together.
    package func sum(over stems: StemSet) -> Double { stems.sum { weight(of: $0) } }

    /// The table that is part of the program.
    package static let shared: WordWeights = {
        do throws(LexiconError) {
            return try WordWeights(json: EmbeddedFile.bytes(named: "weights.json"))
        } catch {
            preconditionFailure("The embedded word weights are broken: \(error)")
        }
    }()

    /// Reads a table: by weight, the stems that have it.
    package init(json bytes: [UInt8]) throws(LexiconError) {
        let root = try VocabularyFile(bytes, format: Self.format).root
        let rarest = root.required("rarest")?.double(in: 0.1...20) ?? 1
        usualLength = root.required("usual_length")?.double(in: 1...1_000) ?? 1
        var numbers = FingerprintTable(capacity: 2_048)
        var weights: [Double] = []
        let groups = root.required("stems")
        for group in groups?.value.object?.members ?? [] {
            guard let weight = Double(group.name), weight > 0, weight <= rarest, let stems = group.value.string else {
                groups?.note("is no weight up to the rarest with stems in a text", at: group.name)
                continue
            }
            for stem in stems.split(separator: " ") {
                if numbers.number(of: Fingerprint.of(String(stem))) < weights.count {
                    groups?.note("the stem \(stem) stands twice", at: group.name)
                } else {
                    weights.append(weight)
                }
            }
        }
        guard root.problems.list.isEmpty else { throw LexiconError(problems: root.problems.list) }
        self.numbers = numbers
        self.weights = weights
        self.rarest = rarest
    }
}
