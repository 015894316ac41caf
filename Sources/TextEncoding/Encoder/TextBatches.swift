import Synchronization

/// Texts cut into batches of like length, handed out one by one to whoever asks next.
final class TextBatches: Sendable {
    /// A text's place in the list it came in, and its tokens.
    struct Text: Sendable {
        let place: Int
        let tokens: [UInt32]
    }

    let batches: [Range<Int>]
    /// From the longest to the shortest.
    let texts: [Text]
    private let next = Atomic<Int>(0)

    /// Batches have at most `most` tokens, or else one text.
    init(_ tokens: [[UInt32]], most: Int) {
        texts = tokens.enumerated().map { Text(place: $0, tokens: $1) }
            .sorted { ($1.tokens.count, $0.place) < ($0.tokens.count, $1.place) }
        var batches: [Range<Int>] = []
        var start = 0
        var count = 0
        for (place, text) in texts.enumerated() {
            if place > start, count + text.tokens.count > most {
                batches.append(start..<place)
                start = place
                count = 0
            }
            count += text.tokens.count
        }
        if start < texts.count { batches.append(start..<texts.count) }
        self.batches = batches
    }

    /// The texts of the next batch, or nil when all have been handed out.
    func take() -> ArraySlice<Text>? {
        let place = next.add(1, ordering: .relaxed).oldValue
        return place < batches.count ? texts[batches[place]] : nil
    }
}
