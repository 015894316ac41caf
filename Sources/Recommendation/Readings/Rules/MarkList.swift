import TextEncoding

/// Fixed turns of phrase, found by their first word; where several stand, the one listed first decides.
struct MarkList: Sendable {
    struct Match: Sendable {
        let rank: Int
        let range: Range<Int>
    }

    /// The words of each mark, as fingerprints.
    private let marks: [[UInt64]]
    private let firsts: FingerprintTable
    /// The fingerprints of the words that a mark begins with; `WordKinds` must know those of every list.
    let firstWords: [UInt64]
    /// The marks that begin with a word, by its number.
    private let byFirst: [[Int]]

    /// One mark a line or between semicolons, its words separated by spaces.
    init(_ source: String) {
        let marks = source.split(whereSeparator: { $0 == ";" || $0 == "\n" }).map {
            $0.split(separator: " ").map { Fingerprint.of(String($0)) }
        }.filter { !$0.isEmpty }
        var firsts = FingerprintTable(capacity: marks.count)
        var byFirst: [[Int]] = []
        for (rank, mark) in marks.enumerated() {
            let number = firsts.number(of: mark[0])
            if number == byFirst.count { byFirst.append([]) }
            byFirst[number].append(rank)
        }
        firstWords = marks.map { $0[0] }
        self.marks = marks
        self.firsts = firsts
        self.byFirst = byFirst
    }

    func matches(in text: HintText, from indices: some Sequence<Int>) -> [Match] {
        var found: [Match] = []
        for index in indices {
            guard text.words[index].kinds.contains(.mark), let number = firsts[text.words[index].textPrint] else {
                continue
            }
            for rank in byFirst[number] where text.has(marks[rank], at: index) {
                found.append(Match(rank: rank, range: index..<(index + marks[rank].count)))
            }
        }
        return found
    }

    func occurs(in text: HintText) -> Bool { first(in: text) != nil }

    func first(in text: HintText) -> Match? {
        for index in text.words.indices {
            guard text.words[index].kinds.contains(.mark), let number = firsts[text.words[index].textPrint] else {
                continue
            }
            for rank in byFirst[number] where text.has(marks[rank], at: index) {
                return Match(rank: rank, range: index..<(index + marks[rank].count))
            }
        }
        return nil
    }

    /// Whether a mark stands exactly here.
    func stands(in text: HintText, at index: Int) -> Bool {
        text.words.indices.contains(index) && !matches(in: text, from: index..<(index + 1)).isEmpty
    }
}
