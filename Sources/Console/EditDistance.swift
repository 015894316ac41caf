/// Finds the known word that a mistyped one was probably meant to be.
package enum EditDistance {
    /// The nearest word, if it is near enough to be a guess and not a joke.
    package static func nearest(to typed: String, among known: [String]) -> String? {
        // A word cut short is meant more often than another word of the same length.
        let begun = known.filter { typed.count >= 3 && $0.hasPrefix(typed) }
        if begun.count == 1 { return begun.first }
        guard typed.utf8.count <= 40 else { return nil }
        let ranked = known.map { (word: $0, distance: between(Array(typed), Array($0))) }
        let best = ranked.min { ($0.distance, $0.word) < ($1.distance, $1.word) }
        guard let best, best.distance <= max(1, min(typed.count, best.word.count) / 3) else { return nil }
        return best.word
    }

    /// Insertions, removals, replacements and swaps of neighbours between two words.
    package static func between(_ first: [Character], _ second: [Character]) -> Int {
        var beforeLast: [Int] = []
        var last = Array(0...second.count)
        for (row, letter) in first.enumerated() {
            var current = [row + 1]
            for (column, other) in second.enumerated() {
                var cost = min(last[column + 1] + 1, current[column] + 1, last[column] + (letter == other ? 0 : 1))
                if row > 0, column > 0, letter == second[column - 1], first[row - 1] == other {
                    cost = min(cost, beforeLast[column - 1] + 1)
                }
                current.append(cost)
            }
            beforeLast = last
            last = current
        }
        return last[second.count]
    }
}
