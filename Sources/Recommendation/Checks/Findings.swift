/// What has been found out so far, by place in the selection and its reserve.
struct Findings {
    var verdicts: [Int: AvailabilityVerdict] = [:]

    func isLost(_ place: Int) -> Bool {
        if case .lost = verdicts[place] { true } else { false }
    }
}
