package import JSONDocument
package import KnotDomain
package import Recommendation
import Shipped
import StageGraph

/// What is stored of earlier runs.
package protocol RunHistory: Sendable {
    /// The result of a stored run.
    func result(of run: String) async throws(ChoiceError) -> StoredResult

    /// The vault as it stood when a stored run read it.
    func past(_ result: StoredResult) async throws(ChoiceError) -> PastVault
}

/// A vault as it stood before a stored run and all later ones.
package struct PastVault: Sendable {
    package let loaded: LoadedVault
    package let now: Vault
    package let pipelineName: String
    package let pipelineHash: String
    package let inputDigest: String

    package init(_ loaded: LoadedVault, now: Vault, pipelineName: String, pipelineHash: String, inputDigest: String) {
        self.loaded = loaded
        self.now = now
        self.pipelineName = pipelineName
        self.pipelineHash = pipelineHash
        self.inputDigest = inputDigest
    }
}

/// A stored set, and the run that made it, to be done again on the vault as it stood then.
package struct EarlierRun: Sendable {
    package let document: JSONValue
    package let prepared: PreparedRun
    /// The vault as it is now, for what hints say.
    package let vault: Vault
    /// Whether the run would read the very bytes it read then.
    package let readsTheSame: Bool
    package let pipeline: String
    /// Whether the plan is the one that made the set.
    package let hasItsPlan: Bool

    /// Whether a run came to the stored choices by the stored scores, whatever kernels it had.
    package func isSame(as run: EngineRun) -> Bool {
        guard case .success(let set) = run.result, let stored = document["choices"]?.array,
            stored.count == set.choices.count
        else { return false }
        return zip(set.choices, stored).allSatisfy { choice, stored in
            let score = stored["score"]?.double ?? .nan
            return choice.offer.candidate.id.text == stored["candidate_id"]?.string
                && abs(choice.ranked.score - score) < 1e-5
        }
    }
}

extension ChoiceService {
    /// The run that made a stored set: its own choices and all later ones are no history of it.
    package func again(_ run: String, in history: some RunHistory) async throws(ChoiceError) -> EarlierRun {
        let result = try await history.result(of: run)
        let asked = try result.asked()
        let past = try await history.past(result)
        // A milestone that is gone leaves its tier: the run is another one then, and what is stored is shown.
        let isKnown = Self.knows(asked.occasion, in: past.loaded)
        let occasion = isKnown ? asked.occasion : .tier(asked.tier)
        var request = ChoiceRequest(vault: result.vault, occasion: occasion, asOf: asked.asOf, name: run)
        request.reroll = asked.refresh.map { ChoiceRequest.Reroll(run: nil, refresh: $0) }
        request.isDryRun = true
        let made = try prepared(request, past.loaded)
        let itsPlan = plan(of: past)
        return EarlierRun(
            document: result.document,
            prepared: made.by(
                itsPlan ?? plan,
                seed: result.document["seed"]?.string.flatMap { UInt64($0) } ?? seed
            ),
            vault: past.now,
            readsTheSame: isKnown && made.inputDigest == past.inputDigest,
            pipeline: "\(past.pipelineName) (\(past.pipelineHash.prefix(12)))",
            hasItsPlan: itsPlan != nil
        )
    }

    private static func knows(_ occasion: OccasionChoice, in loaded: LoadedVault) -> Bool {
        guard case .milestone(let id) = occasion else { return true }
        return loaded.vault.milestones.contains { $0.id.text.lowercased() == id.text.lowercased() }
    }

    /// The plan with the hash that made the set, where this program has it.
    private func plan(of past: PastVault) -> Plan? {
        if plan.identity == past.pipelineHash { return plan }
        guard ShippedPipelines.names.contains(past.pipelineName) else { return nil }
        do throws(PipelineError) {
            let shipped = try ShippedPipelines.plan(past.pipelineName)
            return shipped.identity == past.pipelineHash ? shipped : nil
        } catch {
            // A shipped pipeline that cannot be read is an error where one is asked for.
            return nil
        }
    }
}
