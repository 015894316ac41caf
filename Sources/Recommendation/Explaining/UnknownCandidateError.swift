package import KnotDomain

/// A candidate was asked about that the run never saw.
package struct UnknownCandidateError: Error, Sendable, Equatable, CustomStringConvertible {
    package let candidate: CandidateID
    /// Ids of the run that are written nearly the same, nearest first; else its first ones.
    package let near: [String]
    /// How many candidates the run saw.
    package let count: Int

    init(_ candidate: CandidateID, known: [String]) {
        self.candidate = candidate
        count = known.count
        let ranked = known.map { (id: $0, distance: Self.distance($0, candidate.text)) }
            .sorted { ($0.distance, $0.id) < ($1.distance, $1.id) }
        near = ranked.prefix(5).map(\.id)
    }

    package var description: String {
        guard !near.isEmpty else { return "no candidate \(candidate.text.prefix(60)): the run retrieved none at all" }
        let known = near.joined(separator: ", ")
        return "no candidate \(candidate.text.prefix(60)) among the \(count) retrieved; near: \(known)"
    }

    /// How many letters must be put in, taken out or changed, case aside; only beginnings count in very long ids.
    private static func distance(_ left: String, _ right: String) -> Int {
        let left = Array(left.prefix(64).lowercased().unicodeScalars)
        let right = Array(right.prefix(64).lowercased().unicodeScalars)
        var row = Array(0...right.count)
        for (i, first) in left.enumerated() {
            var diagonal = row[0]
            row[0] = i + 1
            for (j, second) in right.enumerated() {
                let above = row[j + 1]
                row[j + 1] = min(min(above, row[j]) + 1, diagonal + (first == second ? 0 : 1))
                diagonal = above
            }
        }
        return row[right.count]
    }
}
