import Testing

@testable import TextEncoding

@Suite("A ranking by words")
struct WordRankingTests {
    @Test func `gives nothing to a text that shares no word with the query`() {
        let ranking = WordRanking([FieldedText(title: "tea"), FieldedText(), FieldedText(body: ["teapots"])])
        #expect(ranking.scores(for: "kettle") == [0, 0, 0])
        #expect(ranking.scores(for: "") == [0, 0, 0])
        #expect(WordRanking([]).scores(for: "tea") == [])
    }

    @Test func `puts a word of the title above one of the tags, and that above one of the body`() {
        let texts = [
            FieldedText(title: "one", tags: ["two"], body: ["kettles"]),
            FieldedText(title: "one", tags: ["kettle"], body: ["two"]),
            FieldedText(title: "kettle", tags: ["one"], body: ["two"]),
        ]
        let scores = WordRanking(texts).scores(for: "kettle")
        #expect(scores[0] > 0 && scores[0] < scores[1] && scores[1] < scores[2])
    }

    @Test func `hears function words, which tell short sentences apart`() {
        let texts = ["how old are you", "who are you", "what is the time"].map { FieldedText(body: [$0]) }
        let scores = WordRanking(texts).scores(for: "who are you")
        #expect(scores[1] > scores[0] && scores[2] == 0)
    }

    @Test func `is not moved by how long a text goes on`() {
        let noise = Array(repeating: "kettle", count: 100_000).joined(separator: " ")
        let words = (0..<500).map { "word\($0)" }.joined(separator: " ")
        let scores = WordRanking([FieldedText(body: [words + " tea"]), FieldedText(body: [noise])]).scores(for: "tea")
        #expect(scores == [0, 0], "only so many words of a body are read")
    }

    /// By runs of characters, where no stem is known.
    @Test(
        arguments: [
            ("кошки", "Плюшевая кошка"), ("ЧАШКА", "Кофейные чашки"), ("кофе", "Кофейные чашки"),
            ("київ", "Київська кава"),
            ("καφές", "ΚΑΦΕΤΙΕΡΑ"), ("커피", "커피잔 세트"), ("커피잔을", "커피잔"), ("قهوة", "القهوة العربية"), ("ספר", "הספר החדש"),
        ]
    )
    func `finds other forms of a word whose stem nobody knows`(query: String, title: String) {
        let texts = [FieldedText(title: "Ваза из стекла 유리 זכוכית زجاج"), FieldedText(title: title)]
        #expect(WordRanking(texts).scores(forContentOf: query).map { $0 > 0 } == [false, true])
    }

    @Test func `puts a word itself above another form of it, and takes no word of English apart`() {
        let texts = ["кошка", "кошки", "кошачий"].map { FieldedText(title: $0) }
        let scores = WordRanking(texts).scores(forContentOf: "кошки")
        #expect(scores[1] > scores[0] && scores[0] > 0 && scores[2] == 0)
        let english = ["crème brûlée", "brulees", "umbrella"].map { FieldedText(title: $0) }
        #expect(WordRanking(english).scores(forContentOf: "brûlée").map { $0 > 0 } == [true, true, false])
        #expect(WordRanking.contentFingerprints(of: "crème brûlée").count == 2)
    }
}
