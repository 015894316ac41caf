/// A set of a hint's words, by their places; a hint is short, so each place has its mark.
struct WordPlaces: Sendable {
    private var marks: [Bool]
    private(set) var isEmpty = true

    /// None of so many words.
    init(count: Int) {
        marks = [Bool](repeating: false, count: count)
    }

    mutating func insert(_ range: Range<Int>) {
        for place in range where marks.indices.contains(place) {
            marks[place] = true
            isEmpty = false
        }
    }

    func contains(_ place: Int) -> Bool { marks.indices.contains(place) && marks[place] }
}
