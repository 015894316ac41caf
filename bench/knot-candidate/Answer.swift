import VectorSearch

/// Where the harness wants scores and ids: as many places for each query as matches were asked for.
///
/// Safe: made of the harness' own arrays for the duration of one call, and every place is checked against their length.
@safe struct Answer {
    private let scores: UnsafeMutableBufferPointer<Float>
    private let ids: UnsafeMutableBufferPointer<UInt32>

    /// Places that get no match keep the largest id and no score.
    init(scores: UnsafeMutablePointer<Float>, ids: UnsafeMutablePointer<UInt32>, places: Int) {
        unsafe self.scores = UnsafeMutableBufferPointer(start: scores, count: places)
        unsafe self.ids = UnsafeMutableBufferPointer(start: ids, count: places)
        unsafe self.scores.update(repeating: -.infinity)
        unsafe self.ids.update(repeating: .max)
    }

    func put(_ match: Match, at place: Int) {
        precondition(unsafe place < ids.count, "a match without a place")
        unsafe scores[place] = match.score
        unsafe ids[place] = UInt32(match.row)
    }
}
