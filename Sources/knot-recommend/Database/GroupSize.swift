/// How many vaults are read in one round trip: as many as are not too much for memory, as far as the last ones tell.
struct GroupSize: Sendable {
    static let most = 32
    private static let mostBytes = 1 << 20

    /// Few at first, since nothing is known of their size.
    private(set) var count = 4

    /// Takes note of how much a group was.
    mutating func learn(bytes: Int, vaults: Int) {
        guard vaults > 0 else { return }
        let fitting = Self.mostBytes * vaults / max(1, bytes)
        count = min(max(1, fitting), 2 * count, Self.most)
    }
}
