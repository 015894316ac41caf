import JSONDocument
package import KnotDomain
import Recommendation
import StageGraph
package import VaultStore

/// A set of three invented items, ready to be stored, the same for the same request.
package enum InventedSet {
    /// With other than three rows it is no set, and no database takes it.
    package static func record(vault: VaultID, request: String, rows: Int = 3) throws(VaultStoreError) -> SetRecord {
        let digits = String(repeating: "ab", count: 32)
        let write = WriteRequest(kind: .onDemand, request: request, inputDigest: digits, engineVersion: "probe")
        let identity = RunIdentity(
            kind: .onDemand,
            vault: vault,
            milestone: nil,
            occurrence: nil,
            tier: .justBecause,
            request: request
        )
        return try SetRecord(
            write,
            identity: identity,
            vault: vault,
            milestone: nil,
            occurrence: nil,
            tier: .justBecause,
            pipeline: ("probe", digits),
            seed: 0,
            asOf: Instant(millisecondsSinceEpoch: 1_770_000_000_000),
            outcome: .complete,
            reasons: [],
            counts: [:],
            result: JSONWriter.text(["run_id": .string(identity.runID), "request": .string(request)]),
            round: 0,
            choices: (1...rows).map(choice)
        )
    }

    /// Sets whose requests are that of a batch and their numbers.
    package static func batch(vault: VaultID, request: String, count: Int) throws(VaultStoreError) -> [PendingSet] {
        var sets: [PendingSet] = []
        for number in 1...count { sets.append(PendingSet(try record(vault: vault, request: "\(request)/\(number)"))) }
        return sets
    }

    private static func choice(_ position: Int) -> ChoiceRow {
        let map = Candidate(
            id: CandidateID("c\(position)"),
            provider: .amazon,
            type: .gift,
            title: "Map \(position)",
            description: nil,
            url: "https://shop.example/\(position)",
            imageURL: nil,
            priceCents: nil,
            currency: .usd,
            merchant: nil,
            location: nil,
            startsAt: nil,
            rating: nil,
            reviewCount: nil,
            shipsInDays: nil,
            tags: []
        )
        return ChoiceRow(
            position: position,
            ranked: Ranked(item: Offer(map), total: Total(parts: [.init(name: "liked", value: 0.5)])),
            budgetCents: nil,
            availability: "available",
            reason: "It is a map.",
            hints: []
        )
    }
}
