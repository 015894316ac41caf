import JSONDocument
import KnotDomain
import PostgresClient
import Recommendation
import StageGraph
import VaultStore

extension VaultDesk {
    /// A stored set, and the run that made it, to be done again on the vault as it stood then.
    struct StoredRun: Sendable {
        let document: JSONValue
        let job: ChoiceJob
        /// The vault as it is now, for what hints say.
        let vault: Vault
        /// Whether the run would read the very bytes it read then.
        let readsTheSame: Bool
        let pipeline: String
        /// Whether the plan is the one that made the set.
        let hasItsPlan: Bool
    }

    /// The run that made a stored set: its own choices and all later ones are no history of it.
    func explaining(_ id: String) async throws(CommandError) -> StoredRun {
        let result = try await storedResult(id)
        let (run, document) = (result.run, result.document)
        let reader = JSONReader(document)
        let tier = reader.required("occasion")?.choice(OccasionTier.self)
        let asOf = reader.required("as_of")?.instant()
        let refresh = reader.optional("refresh").flatMap { RefreshDocument.read($0) }
        guard let tier, let asOf else { throw result.unreadable(reader.problems.list) }
        guard let owner = PostgresUUID(result.vault.text) else { throw .noRun(id) }
        let (source, now) = try await read(result.vault)
        let later: LaterSets?
        do throws(MovingError) {
            later = try await SetHistory(pool).later(
                than: run,
                of: owner,
                until: budget.until(Self.readingLimit)
            )
        } catch {
            throw CommandError(error, input: "run \(id)")
        }
        guard let later else { throw .noRun(id) }
        let past = StoredVault(
            vault: later.undone(in: now.vault),
            hintEmbeddings: now.hintEmbeddings,
            hintReadings: now.hintReadings,
            vaultReadings: now.vaultReadings,
            weights: now.weights,
            imported: now.imported,
            stock: now.stock
        )
        let milestone = document["milestone_id"]?.string.map { MilestoneID($0) }
        let made = try job(
            source,
            past,
            RunRequest(
                vaultID: past.vault.id,
                occasion: try Self.occasion(milestone.map(OccasionRequest.milestone) ?? .tier(tier), in: past),
                asOf: asOf,
                refresh: refresh,
                isLive: true
            ),
            kind: .onDemand,
            request: run.description,
            isDryRun: true
        )
        var ports = made.ports
        ports.vaults = OneVault(vault: past.vault)
        let itsPlan = plan(of: later)
        var job = ChoiceJob(
            plan: itsPlan ?? plan,
            ports: ports,
            input: made.input,
            inputDigest: made.inputDigest,
            keeping: made.keeping,
            budget: budget
        )
        job.seed = document["seed"]?.string.flatMap { UInt64($0) }
        return StoredRun(
            document: document,
            job: job,
            vault: now.vault,
            readsTheSame: made.inputDigest == later.inputDigest,
            pipeline: "\(later.pipelineName) (\(later.pipelineHash.prefix(12)))",
            hasItsPlan: itsPlan != nil
        )
    }

    /// The plan with the hash that made the set, where this program has it.
    private func plan(of set: LaterSets) -> Plan? {
        if plan.identity == set.pipelineHash { return plan }
        guard ShippedPipelines.names.contains(set.pipelineName) else { return nil }
        do throws(PipelineError) {
            let shipped = try ShippedPipelines.plan(set.pipelineName)
            return shipped.identity == set.pipelineHash ? shipped : nil
        } catch {
            // A shipped pipeline that cannot be read is told of where one is asked for.
            return nil
        }
    }
}

/// One vault as it is given.
private struct OneVault: VaultSource {
    let vault: Vault

    func vault(_ id: VaultID) async throws(StageFailure) -> Vault { vault }
}
