import VectorSearch

/// A search that found something else than the plain computation.
package struct ExactnessFailure: Error, CustomStringConvertible {
    let challenge: String
    let search: String
    let found: [[Match]]
    let expected: [[Match]]

    package var description: String {
        guard let query = zip(found, expected).enumerated().first(where: { !Challenge.hasSameBits([$1.0], [$1.1]) })
        else { return "\(challenge): \(search) answered \(found.count) of \(expected.count) queries" }
        let (mine, theirs) = query.element
        let place = zip(mine, theirs).enumerated().first { !Challenge.hasSameBits([[$1.0]], [[$1.1]]) }?.offset
        let at = place ?? min(mine.count, theirs.count)
        return "\(challenge): \(search): query \(query.offset) found \(mine.count) of \(theirs.count) matches, "
            + "and at place \(at) \(Self.text(mine, at)) instead of \(Self.text(theirs, at))"
    }

    private static func text(_ matches: [Match], _ place: Int) -> String {
        guard place < matches.count else { return "nothing" }
        return "row \(matches[place].row) with \(matches[place].score)"
    }
}
