import Classic
import KnotDomain
import TestSupport
import TextEncoding
import TextReading
import VectorSearch

@testable import Recommendation
@testable import StageGraph

/// Empty and senseless values of the stages that make neither pools nor scores.
enum WrongValue {
    /// A body that gives such a value; nil where only the stage's port can be wrong.
    static func body(for kind: String, _ mishap: Mishap) -> NodeBody? {
        guard let value = value(for: kind, mishap) else { return nil }
        return NodeBody { (_, _) async throws(StageFailure) in NodeBody.Product(value: value) }
    }

    private static func value(for kind: String, _ mishap: Mishap) -> (any Sendable)? {
        switch (kind, mishap) {
        case (ReadHints.kind, .answersNothing):
            HintUnderstanding(reader: "none", hints: [:], serves: [], avoid: [])
        case (ReadHints.kind, .answersNonsense):
            HintUnderstanding(
                reader: "",
                hints: [HintID("nobody"): reading("hint-1", strength: .nan)],
                serves: ["", "\u{0}", String(repeating: "word ", count: 50_000)],
                avoid: ["", ",,;:"]
            )
        case (RetrieveHints.kind, .answersNothing): HintDigest(ranked: [], serves: [], avoids: [])
        case (RetrieveHints.kind, .answersNonsense): nonsenseDigest
        case (RetrieveHints.kind, .answersTwice):
            HintDigest(
                ranked: [],
                serves: [phrase("coffee", 0.9), phrase("coffee", 0.9)],
                avoids: [phrase("roses", 1), phrase("roses", 1)]
            )
        case (PlanQueries.kind, .answersNothing), (ClassicPlan.kind, .answersNothing):
            QueryPlan(
                phrases: [],
                budget: MatrixWorld.scene.budget,
                place: nil,
                until: CivilDate(daysSinceEpoch: 0)
            )
        case (PlanQueries.kind, .answersNonsense), (ClassicPlan.kind, .answersNonsense):
            QueryPlan(
                phrases: [String](repeating: "\u{0}", count: 1_000),
                budget: Budget(minimum: 9, maximum: -9, currency: .usd),
                place: nil,
                until: CivilDate(daysSinceEpoch: .min)
            )
        case (RelatePhrases.kind, .answersNothing):
            PhraseSimilarity(serves: table([], nan: false), avoids: table([], nan: false))
        case (RelatePhrases.kind, .answersNonsense):
            PhraseSimilarity(
                serves: table([phrase("coffee", .nan)], nan: true),
                avoids: table([phrase("roses", .nan)], nan: true)
            )
        case (RelateMeaning.kind, .answersNothing): EmbeddingFeatures.unknown
        case (RelateMeaning.kind, .answersNonsense): nonsenseMeaning
        case (RelateTaste.kind, .answersNothing): TasteFeatures(ItemTable(), [])
        case (ClassicHints.kind, .answersNothing): [Hint]()
        case (ClassicHints.kind, .answersTwice): MatrixWorld.scene.hints + MatrixWorld.scene.hints
        default: nil
        }
    }

    /// No cosine is a number, and the vectors say nothing.
    private static var nonsenseMeaning: EmbeddingFeatures {
        let zero = Embedding([Float](repeating: 0, count: Embedding.dimension), model: "none")
        let vectors = zero.map { [$0] } ?? []
        return EmbeddingFeatures(
            MatrixWorld.scene.candidates.map { (item: ItemID($0.id.text), row: 0) },
            vectors: vectors,
            columns: ["coffee": 0, "roses": 1],
            cosines: SimilarityTable(
                rowCount: vectors.count,
                columnCount: 2,
                values: [Float](repeating: .nan, count: vectors.count * 2)
            )
        )
    }

    private static var nonsenseDigest: HintDigest {
        let hint = Hint(
            id: HintID("nobody"),
            text: "",
            source: .textInput,
            createdAt: Instant(millisecondsSinceEpoch: .min),
            isUsed: false
        )
        return HintDigest(
            ranked: [
                .init(
                    hint: hint,
                    reading: reading("nobody", strength: .infinity),
                    weight: .nan,
                    words: TokenizedText(""),
                    serving: [PhraseReading(""), PhraseReading("0")]
                )
            ],
            serves: [phrase("", .nan), phrase(String(repeating: "word ", count: 50_000), .infinity)],
            avoids: [phrase("", .nan), phrase(",;:/()", -1)]
        )
    }

    private static func phrase(_ text: String, _ weight: Double) -> HintDigest.Phrase {
        HintDigest.Phrase(text: text, weight: weight, hint: HintID("hint-1"))
    }

    private static func reading(_ id: String, strength: Double) -> HintReading {
        HintReading(
            hintID: HintID(id),
            subject: .partner,
            stance: .wants,
            strength: strength,
            serves: [""],
            avoid: [""],
            overrules: [HintID(id)],
            limits: []
        )
    }

    private static func table(_ phrases: [HintDigest.Phrase], nan: Bool) -> PhraseTable {
        let items = MatrixWorld.scene.candidates.map { ItemID($0.id.text) }
        return PhraseTable(
            phrases: phrases,
            items: items,
            values: [Double](repeating: nan ? .nan : 0, count: phrases.count * items.count)
        )
    }
}
