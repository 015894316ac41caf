/// What has been found out so far, by place in the selection and its reserve.
struct Findings {
    var verdicts: [Int: AvailabilityVerdict] = [:]

    func isLost(_ place: Int) -> Bool {
        if case .lost = verdicts[place] { true } else { false }
    }

    /// Whether an offer was looked at and may be had.
    func stands(_ place: Int) -> Bool { verdicts[place] != nil && !isLost(place) }

    /// Those that were looked at and may be had.
    var standing: [Int] { verdicts.keys.filter { !isLost($0) } }
}
