import KnotDomain

/// What a set is for, where the person says so.
enum OccasionRequest: Sendable, Equatable {
    /// What the fixture asks for, else just because.
    case unstated
    case milestone(MilestoneID)
    case tier(OccasionTier)

    init(_ arguments: TypedArguments) throws(CommandError) {
        switch (arguments.text(.milestone), arguments.text(.occasion)) {
        case (.some, .some):
            throw .usage(
                arguments.verb,
                "--milestone and --occasion exclude one another",
                todo: "give one of them"
            )
        case (let id?, nil): self = .milestone(MilestoneID(id))
        case (nil, let tier?): self = OccasionTier(rawValue: tier).map(OccasionRequest.tier) ?? .unstated
        case (nil, nil): self = .unstated
        }
    }
}
