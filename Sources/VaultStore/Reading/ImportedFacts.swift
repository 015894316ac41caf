package import JSONDocument
package import KnotDomain

/// What a fixture said beside its vault, kept so that a run of the imported vault asks the same.
package struct ImportedFacts: Sendable, Hashable {
    package let name: String
    package let asOf: Instant?
    package let occasion: Occasion?
    /// As the file had them; nil where it had none.
    package let rates: JSONValue?
    package let fileDigest: String

    /// What the fixture asked for.
    package enum Occasion: Sendable, Hashable {
        case milestone(MilestoneID)
        case tier(OccasionTier)
    }

    package static func == (one: Self, other: Self) -> Bool {
        one.fileDigest == other.fileDigest && one.name == other.name
    }

    package func hash(into hasher: inout Hasher) { hasher.combine(fileDigest) }
}
