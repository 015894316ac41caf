/// An output as a page shows it, compared as a reader would.
///
/// The last digit of a measured number and the length of a bar may differ, since sums of floats differ from one kind of CPU to another. An
/// ellipsis stands for any words, or for the rest of the word it touches.
struct ShownText {
    private let words: [Substring]

    init(_ text: String) {
        words = text.split { $0.isWhitespace || "=[]()".contains($0) }
    }

    /// Whether a command printed this.
    func isSame(as printed: ShownText) -> Bool {
        var place = 0
        var other = 0
        // The last ellipsis, and the first printed word that it doesn't stand for.
        var retreat: (place: Int, other: Int)?
        while other < printed.words.count {
            if place < words.count, words[place] == "…" {
                retreat = (place, other)
                place += 1
            } else if place < words.count, Self.isSame(words[place], printed.words[other]) {
                place += 1
                other += 1
            } else if let last = retreat {
                retreat = (last.place, last.other + 1)
                place = last.place + 1
                other = last.other + 1
            } else {
                return false
            }
        }
        return words[place...].allSatisfy { $0 == "…" }
    }

    private static func isSame(_ shown: Substring, _ printed: Substring) -> Bool {
        if shown == printed { return true }
        if let gap = shown.firstIndex(of: "…") {
            let (start, end) = (shown[..<gap], shown[shown.index(after: gap)...])
            return printed.count >= start.count + end.count && printed.hasPrefix(start) && printed.hasSuffix(end)
        }
        guard let point = shown.firstIndex(of: "."), let end = printed.firstIndex(of: "."),
            let first = Double(shown), let second = Double(printed)
        else { return false }
        let digits = shown[point...].count - 1
        guard digits >= 2, digits == printed[end...].count - 1 else { return false }
        let unit = (0..<digits).reduce(1.0) { unit, _ in unit / 10 }
        return abs(first - second) < unit * 1.5
    }
}
