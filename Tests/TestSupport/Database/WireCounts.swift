/// What clients said through a proxy.
package struct WireCounts: Sendable, Equatable {
    /// How often a client began to speak after the server had: each is one round trip.
    package var roundTrips = 0
    /// Sync and simple-query messages, each of which asks the server for its answers.
    package var syncs = 0
    /// Statements that were executed.
    package var executions = 0
    /// Statements that were parsed.
    package var parses = 0
    package var connections = 0
    package var cancels = 0
    /// Lines that a storm has broken.
    package var cuts = 0

    package static func - (later: Self, earlier: Self) -> Self {
        WireCounts(
            roundTrips: later.roundTrips - earlier.roundTrips,
            syncs: later.syncs - earlier.syncs,
            executions: later.executions - earlier.executions,
            parses: later.parses - earlier.parses,
            connections: later.connections - earlier.connections,
            cancels: later.cancels - earlier.cancels,
            cuts: later.cuts - earlier.cuts
        )
    }
}
