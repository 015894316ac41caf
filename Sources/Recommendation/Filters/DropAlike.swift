import KnotDomain
package import StageGraph
import VectorSearch

/// Drops what is the same thing as an earlier offer in other words: nobody chooses between twins.
///
/// The same thing is of one type, at one time and in one town, and means the same; the one declared first stays.
package struct DropAlike: FilterStage {
    package static let kind = "filter.alike"
    package static let summary = "Drops what means the same as an earlier offer of its type, time and town."
    static let meaning = OptionalPort<PoolMeaning>("meaning")
    package static let inputs = [meaning.declaration]

    static let threshold = Parameter<Double>(
        "cosine",
        default: 0.95,
        in: 0.5...1,
        "Cosine from which two offers are the same thing in other words."
    )
    package static let parameters = [threshold.declaration]

    private let threshold: Double
    private let ports: StagePorts

    package init(_ parameters: ParameterValues, ports: StagePorts) {
        threshold = parameters[Self.threshold]
        self.ports = ports
    }

    /// The earlier twin of each offer that has one.
    package func facts(
        for pool: Pool<Offer>,
        _ inputs: StageInputs,
        in context: StageContext
    ) async throws(StageFailure) -> [ItemID: ItemID] {
        guard let meaning = inputs.value(Self.meaning), meaning.isKnown else { return [:] }
        let known = pool.items.compactMap { offer in meaning.row(of: offer.itemID).map { (offer: offer, row: $0) } }
        guard known.count > 1 else { return [:] }
        let vectors = known.map { meaning.vectors[$0.row] }
        let table: SimilarityTable
        do {
            table = try ports.similarity.similarities(of: vectors, to: vectors)
        } catch {
            throw StageFailure(.data, code: "mixed_models", error.description)
        }
        var twins: [ItemID: ItemID] = [:]
        for later in known.indices {
            let earlier = known.indices.prefix(later).first { earlier in
                Double(table[later, earlier]) >= threshold && twins[known[earlier].offer.itemID] == nil
                    && Self.mayBeSame(known[earlier].offer.candidate, known[later].offer.candidate)
            }
            if let earlier { twins[known[later].offer.itemID] = known[earlier].offer.itemID }
        }
        return twins
    }

    package func verdict(on item: Offer, given twins: [ItemID: ItemID]) throws(StageFailure) -> FilterVerdict {
        guard let twin = twins[item.itemID] else { return .keep }
        return .drop(reason: "near_duplicate", evidence: "candidate \(twin.text)")
    }

    private static func mayBeSame(_ left: Candidate, _ right: Candidate) -> Bool {
        left.type == right.type && left.startsAt == right.startsAt && left.location?.city == right.location?.city
    }
}
