package import JSONDocument
package import KnotDomain

/// What a fixture asks a choice for.
package enum FixtureRequest: Hashable, Sendable {
    case milestone(MilestoneID)
    case occasion(OccasionTier)

    /// Reads a request against the milestones there are, and notes every problem; nil when there was one.
    package init?(reading reader: JSONReader, knownMilestones: Set<MilestoneID>?) {
        guard reader.value.object != nil else {
            reader.note("expected an object, found \(reader.value.kindName)")
            return nil
        }
        switch (reader.optional("milestone_id"), reader.optional("occasion")) {
        case (let milestone?, nil):
            guard let text = milestone.string() else { return nil }
            // Of a vault that could not be read the milestones are not known.
            if let knownMilestones, !knownMilestones.contains(MilestoneID(text)) {
                milestone.note("\"\(text.prefix(60))\" is not a milestone of this vault")
                return nil
            }
            self = .milestone(MilestoneID(text))
        case (nil, let occasion?):
            guard let tier = occasion.choice(OccasionTier.self) else { return nil }
            self = .occasion(tier)
        case (nil, nil):
            reader.note("needs a milestone_id or an occasion")
            return nil
        case (.some, .some):
            reader.note("has both a milestone_id and an occasion")
            return nil
        }
    }
}
