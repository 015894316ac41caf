import Testing
import TextEncoding

/// How telling a word is hangs on the word alone.
@Suite struct WordWeightsTests {
    private let weights = WordWeights.shared

    @Test func `a word that listings share weighs less than one that names a thing`() {
        for (common, rare) in [("set", "turntable"), ("hand", "gyuto"), ("time", "veena"), ("gift", "kneeler")] {
            #expect(
                weights.weight(of: Fingerprint.of(Stemmer.stem(common)))
                    < weights.weight(of: Fingerprint.of(Stemmer.stem(rare)))
            )
        }
        #expect(weights.weight(of: Fingerprint.of("zzyzx")) == weights.rarest)
    }

    @Test func `a ranking with given weights says the same of a text whatever stands beside it`() {
        let text = BM25.Field(TokenizedText("brass desk lamp with a shade").contentFingerprints)
        let others = [
            "brass bell", "desk", "lamp lamp lamp", "a long text of many words that has no brass in it at all",
        ]
        let query = TokenizedText("brass lamp").contentFingerprints
        let alone = BM25(fields: [[text]], weights: weights).normalizedScores(ofFingerprints: query)[0]
        for count in 1...others.count {
            let more = others.prefix(count).map { [BM25.Field(TokenizedText($0).contentFingerprints)] }
            let beside = BM25(fields: [[text]] + more, weights: weights).normalizedScores(ofFingerprints: query)[0]
            #expect(alone == beside && alone > 0)
        }
    }

    @Test func `a broken table is refused with what is wrong`() {
        for json in [
            #"{"format": "knot.word_weights/2", "usual_length": 60, "rarest": 4, "stems": {}}"#,
            #"{"format": "knot.word_weights/1", "usual_length": 60, "rarest": 4, "stems": {"5.0": "set"}}"#,
            #"{"format": "knot.word_weights/1", "usual_length": 60, "rarest": 4, "stems": {"1.0": "set set"}}"#,
            #"{"format": "knot.word_weights/1", "rarest": 4, "stems": {"1.0": "set"}}"#,
        ] {
            #expect(throws: LexiconError.self, "\(json)") { try WordWeights(json: Array(json.utf8)) }
        }
    }
}
