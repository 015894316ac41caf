import Synchronization

/// Zones that were looked up once stay at hand: a batch asks for the same few again and again.
package final class ZoneCache: ZoneSource {
    private let source: any ZoneSource
    /// What is unknown is remembered too.
    private let known = Mutex<[String: ZoneRules?]>([:])

    package init(_ source: any ZoneSource = ZoneDirectory()) {
        self.source = source
    }

    package func rules(named name: String) -> ZoneRules? {
        if let found = known.withLock({ $0[name] }) { return found }
        // Two threads may read the same file at once; both find the same rules.
        let rules = source.rules(named: name)
        known.withLock { $0[name] = .some(rules) }
        return rules
    }

    package var version: String? { source.version }
}
