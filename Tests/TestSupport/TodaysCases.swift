import Foundation

/// A few of many cases, others every day, so that all have their turn: each costs whole runs.
package enum TodaysCases {
    /// Six of them, spread over all; every one with `KNOT_EVERY_VAULT`, as in `make soak`.
    package static func of<Case>(_ all: [Case]) -> [Case] {
        let count = 6
        guard ProcessInfo.processInfo.environment["KNOT_EVERY_VAULT"] == nil, all.count > count else { return all }
        let day = Int(Date().timeIntervalSince1970 / 86_400)
        return (0..<count).map { all[(day + $0 * all.count / count) % all.count] }
    }
}
