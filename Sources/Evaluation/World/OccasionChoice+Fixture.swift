import Recommendation

extension OccasionChoice {
    init(_ request: FixtureRequest) {
        switch request {
        case .milestone(let id): self = .milestone(id)
        case .occasion(let tier): self = .tier(tier)
        }
    }
}
