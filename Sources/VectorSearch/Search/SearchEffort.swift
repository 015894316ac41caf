/// How much work a search did; unlike its answer, this depends on the kernels and on the number of threads.
package struct SearchEffort: Sendable, Equatable {
    /// Pairs of a row and a query that got a fast score.
    package var scanned = 0
    /// Pairs of a row and a query that got a canonical score.
    package var rescored = 0

    static func + (left: SearchEffort, right: SearchEffort) -> SearchEffort {
        SearchEffort(scanned: left.scanned + right.scanned, rescored: left.rescored + right.rescored)
    }
}
