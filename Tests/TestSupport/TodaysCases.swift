import Foundation

/// A few of many cases, others every day, so that all have their turn: each costs whole runs.
package enum TodaysCases {
    /// Six of them, spread over all; every one with `KNOT_EVERY_VAULT`, as in `make soak`.
    package static func of<Case>(_ all: [Case]) -> [Case] {
        let count = 6
        guard !areAll, all.count > count else { return all }
        return (0..<count).map { all[(day + $0 * all.count / count) % all.count] }
    }

    /// One of every so many.
    package static func oneOf<Case>(_ step: Int, _ all: [Case]) -> [Case] {
        areAll ? all : stride(from: day % step, to: all.count, by: step).map { all[$0] }
    }

    private static let areAll = ProcessInfo.processInfo.environment["KNOT_EVERY_VAULT"] != nil
    private static let day = Int(Date().timeIntervalSince1970 / 86_400)
}
