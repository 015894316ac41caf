import JSONDocument
package import KnotDomain
import Recommendation
package import VaultStore

/// A set of three invented items, ready to be stored, the same for the same request.
package enum InventedSet {
    /// With other than three rows it is no set, and no database takes it.
    package static func record(vault: VaultID, request: String, rows: Int = 3) throws(ChoiceStoreError) -> SetRecord {
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
            rows: .array((1...rows).map(row)),
            hints: []
        )
    }

    /// Sets whose requests are that of a batch and their numbers.
    package static func batch(vault: VaultID, request: String, count: Int) throws(ChoiceStoreError) -> [PendingSet] {
        var sets: [PendingSet] = []
        for number in 1...count { sets.append(PendingSet(try record(vault: vault, request: "\(request)/\(number)"))) }
        return sets
    }

    private static func row(_ position: Int) -> JSONValue {
        [
            "position": .integer(position), "candidate_id": .string("c\(position)"), "provider": "amazon",
            "providers": ["amazon"], "recommendation_type": "gift", "title": .string("Map \(position)"),
            "external_url": .string("https://shop.example/\(position)"), "currency": "USD", "party": 1, "score": 0.5,
            "contributions": [:], "reason": "It is a map.", "hint_ids": [], "evidence": [], "availability": "available",
        ]
    }
}
