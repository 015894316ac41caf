import CVectorKernels
import Synchronization

/// Texts dealt into batches of like work, handed out one by one to whoever asks next.
final class TextBatches: Sendable {
    /// A text's place in the list it came in, and its tokens.
    struct Text: Sendable {
        let place: Int
        let tokens: [UInt32]
    }

    let batches: [[Text]]
    private let next = Atomic<Int>(0)

    /// Fewer tokens are not worth a batch: reading all weights once costs more than computing with them.
    private static let worthReading = 32
    /// What the kernels take together from a layer's first matrix to its last.
    static let blockTokens = Int(KNOT_ENCODER_BLOCK_TOKENS)

    /// As many batches for each worker, since the last to end decides how long all take, of `most` tokens on average or
    /// less; none has more than `most` and the longest text together.
    init(_ tokens: [[UInt32]], most: Int, workers: Int = 1) {
        let texts = tokens.enumerated().map { Text(place: $0, tokens: $1) }
            .sorted { ($1.tokens.count, $0.place) < ($0.tokens.count, $1.place) }
        let total = tokens.reduce(0) { $0 + $1.count }
        let rounds = max(1, (total + workers * most - 1) / (workers * most))
        let count = max(1, min(workers * rounds, texts.count, total / Self.worthReading))
        var dealt = [[Text]](repeating: [], count: count)
        // From the longest to the shortest there and back again: no two batches differ by more than the longest text.
        for (turn, text) in texts.enumerated() {
            let place = turn % (2 * count)
            dealt[min(place, 2 * count - 1 - place)].append(text)
        }
        batches = texts.isEmpty ? [] : dealt.map(Self.packed)
    }

    /// The texts of the next batch, or nil when all have been handed out.
    func take() -> [Text]? {
        let place = next.add(1, ordering: .relaxed).oldValue
        return place < batches.count ? batches[place] : nil
    }

    /// Texts, from the longest to the shortest, in an order in which they fill the kernels' blocks: each stands where it
    /// leaves least room.
    private static func packed(_ texts: [Text]) -> [Text] {
        let room = blockTokens
        var blocks: [[Text]] = []
        // The blocks by the room they have left.
        var open = [[Int]](repeating: [], count: room + 1)
        for text in texts {
            let length = text.tokens.count
            let left = length > room ? nil : (length...room).first { !open[$0].isEmpty }
            if let left, let block = open[left].popLast() {
                blocks[block].append(text)
                open[left - length].append(block)
            } else {
                if length < room { open[room - length].append(blocks.count) }
                blocks.append([text])
            }
        }
        return blocks.flatMap { $0 }
    }
}
