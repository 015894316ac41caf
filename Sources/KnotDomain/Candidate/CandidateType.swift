/// What a recommendation is.
package enum CandidateType: String, CaseIterable, Sendable, Hashable {
    case gift
    case experience
    case date
}
