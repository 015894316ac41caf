/// How many connections a pool holds and for how long.
package struct PoolSettings: Sendable, Equatable {
    /// At least one.
    package let limit: Int
    /// A connection older than this is replaced, so that a server's memory and a moved name are found in time.
    package let lifetime: Duration
    /// Up to this share of the lifetime is taken off by chance, lest all connections end at the same moment.
    package let jitter: Double
    /// A connection unused for longer than this is closed.
    package let idleTime: Duration
    /// Each statement is planned once on a connection, by its indexes, and what is long is packed quickly rather than
    /// well: for the same few statements over and over.
    package let plansOnce: Bool

    package init(
        limit: Int,
        lifetime: Duration = .seconds(1_800),
        jitter: Double = 0.2,
        idleTime: Duration = .seconds(300),
        plansOnce: Bool = false
    ) {
        precondition(limit > 0 && (0...1).contains(jitter), "a pool has room for one, and its jitter is a share")
        self.limit = limit
        self.lifetime = lifetime
        self.jitter = jitter
        self.idleTime = idleTime
        self.plansOnce = plansOnce
    }
}
