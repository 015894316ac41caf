/// A storm in which lines break by themselves: a share of all new ones, each at a place that the seed decides; so many of
/// them, and then it is over.
package struct WireStorm: Sendable {
    /// Where a line breaks.
    enum Fuse: Sendable, Equatable {
        /// After so many bytes of either side, wherever a message is then.
        case bytes(Int)
        /// At its n-th COMMIT.
        case commit(Int, WireProxy.Fault)
    }

    private var random: SeededRandom
    /// Of a hundred lines.
    private let share: Int
    private let mostBytes: Int
    private var left: Int

    package init(seed: UInt64, share: Int = 70, mostBytes: Int = 60_000, most: Int = .max) {
        random = SeededRandom(seed: seed)
        left = most
        self.share = share
        self.mostBytes = mostBytes
    }

    mutating func draw() -> Fuse? {
        guard left > 0, Int.random(in: 0..<100, using: &random) < share else { return nil }
        left -= 1
        let number = Int.random(in: 1...6, using: &random)
        return switch Int.random(in: 0..<3, using: &random) {
        case 0: .bytes(Int.random(in: 200...mostBytes, using: &random))
        case 1: .commit(number, .cutBeforeCommit)
        default: .commit(number, .cutAfterCommit)
        }
    }
}
