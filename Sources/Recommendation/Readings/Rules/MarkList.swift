/// Fixed turns of phrase, found by their first word; where several stand, the one listed first decides.
struct MarkList: Sendable {
    struct Match: Sendable {
        let rank: Int
        let range: Range<Int>
    }

    private let marks: [[String]]
    private let byFirst: [String: [Int]]

    /// One mark a line or between semicolons, its words separated by spaces.
    init(_ source: String) {
        let marks = source.split(whereSeparator: { $0 == ";" || $0 == "\n" }).map {
            $0.split(separator: " ").map(String.init)
        }.filter { !$0.isEmpty }
        byFirst = Dictionary(grouping: marks.indices, by: { marks[$0][0] })
        self.marks = marks
    }

    func matches(in text: HintText, from indices: some Sequence<Int>) -> [Match] {
        var found: [Match] = []
        for index in indices {
            for rank in byFirst[text.words[index].text] ?? [] where text.has(marks[rank], at: index) {
                found.append(Match(rank: rank, range: index..<(index + marks[rank].count)))
            }
        }
        return found
    }

    func occurs(in text: HintText) -> Bool { !matches(in: text, from: text.words.indices).isEmpty }

    func first(in text: HintText) -> Match? { matches(in: text, from: text.words.indices).first }

    /// Whether a mark stands exactly here.
    func stands(in text: HintText, at index: Int) -> Bool {
        text.words.indices.contains(index) && !matches(in: text, from: index..<(index + 1)).isEmpty
    }
}
