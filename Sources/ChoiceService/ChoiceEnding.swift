/// Where the requests of a batch come from: a list, the vaults of a database page by page, lines of a stream.
package protocol RequestSource: Sendable {
    /// The next few, at most so many, as soon as there is one; none after the last.
    mutating func next(most: Int) async throws(ChoiceError) -> [ChoiceRequest]
}

/// Where the ends of a batch go.
package protocol ChoiceOutput: Sendable {
    /// Takes a few ends, in the order in which they came; the batch waits while it does.
    func take(_ endings: [ChoiceEnding]) async
}

/// How one request of a batch ended.
package struct ChoiceEnding: Sendable {
    package struct Made: Sendable {
        /// `complete`, `degraded` or `short`.
        package let outcome: String
        /// `knot.choice/1` as text.
        package let text: String
        package let isStored: Bool
        /// Whether the request had its set before.
        package let isEarlier: Bool
        package let times: BatchTimes
        /// Nodes of providers that gave nothing, or less than they might.
        package var lackingSources: [String] = []
        /// Whether the set is for no day because the day of the vault's own request is over.
        package var isOverdue = false
    }

    package let request: ChoiceRequest
    package let result: Result<Made, ChoiceError>

    package init(_ request: ChoiceRequest, _ result: Result<Made, ChoiceError>) {
        self.request = request
        self.result = result
    }
}

/// Where the time of runs goes, summed over requests: they overlap where several are under way.
package struct BatchTimes: Sendable {
    package var reading = Duration.zero
    /// For a thread that chooses.
    package var waiting = Duration.zero
    package var choosing = Duration.zero
    package var storing = Duration.zero

    package init() {}

    package mutating func add(_ other: BatchTimes) {
        reading += other.reading
        waiting += other.waiting
        choosing += other.choosing
        storing += other.storing
    }
}

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
