import Digest
package import JSONDocument
package import KnotDomain
package import Recommendation
package import StageGraph
import Synchronization

/// A request with all that its run needs: nothing is left to read but what stages ask the outside.
package struct PreparedRun: Sendable {
    package let plan: Plan
    package let ports: StagePorts
    package let request: ChoiceRequest
    package let loaded: LoadedVault
    /// What gives the set its identity.
    package let name: RunIdentity.Name
    /// SHA-256 of everything that was read before the run.
    package let inputDigest: String
    package let seed: UInt64
    /// The milestone of the vault's own request if its day is over, so that the run is for no day.
    package var overdue: MilestoneID?

    /// The same run by another plan and with another seed.
    package func by(_ plan: Plan, seed: UInt64) -> PreparedRun {
        PreparedRun(
            plan: plan,
            ports: ports,
            request: request,
            loaded: loaded,
            name: name,
            inputDigest: inputDigest,
            seed: seed,
            overdue: overdue
        )
    }

    /// The file or the vault, for errors.
    package var place: String { loaded.place }

    /// False for the vault of a file, of which no set is stored.
    package var isKept: Bool { loaded.isKept }

    /// What a recording says of the run.
    var recorded: RecordedRequest {
        RecordedRequest(
            request: ports.request,
            name: isKept ? name : nil,
            reader: ports.reader.name,
            rates: ports.rates,
            inputDigest: inputDigest,
            embedder: ports.embedder?.model,
            profile: ports.embedder?.profile
        )
    }
}

/// A run that has ended, well or not.
package struct FinishedRun: Sendable {
    package let prepared: PreparedRun
    package let run: EngineRun
    private let effects: [RecordedEffect]

    init(_ prepared: PreparedRun, _ run: EngineRun, _ effects: [RecordedEffect] = []) {
        self.prepared = prepared
        self.run = run
        self.effects = effects
    }

    /// The set, or what the run failed with.
    package func set() throws(ChoiceError) -> ChoiceOfThree {
        switch run.result {
        case .success(let set): return set
        case .failure(let failure):
            throw .failed(failure, node: run.report.failedNode, place: prepared.place)
        }
    }

    /// Whether the pipeline handed its set in to be stored: a short one it does not, nor that of a dry run.
    package var isToBeStored: Bool {
        guard case .success = run.result, let intake = prepared.ports.sink as? SetIntake else { return false }
        return intake.isTaken
    }

    /// The result as it is printed where it is not stored.
    package func document() throws(ChoiceError) -> JSONValue {
        let set = try set()
        guard let document = ChoiceDocument(run) else { throw .noResult(prepared.place) }
        return document.json(identity: prepared.name.identity(of: set.brief))
    }

    /// The recording of a run that was watched for one.
    package func recording() -> [UInt8] {
        Cassette(
            plan: prepared.plan.definition,
            request: prepared.recorded.json,
            seed: prepared.seed,
            effects: effects
        ).ndjson()
    }
}

/// What a request is answered with.
package struct ChoiceAnswer: Sendable {
    /// `knot.choice/1`: of a stored set what the database has of it now.
    package internal(set) var document: JSONValue
    /// Nil where the request was answered before.
    package internal(set) var run: FinishedRun?
    /// What belongs into no result.
    package internal(set) var notes: [String] = []

    package init(document: JSONValue, run: FinishedRun? = nil) {
        self.document = document
        self.run = run
    }
}

/// Takes in the set that a pipeline hands to its sink; it is stored when the run can say all of itself.
///
/// Reasons, counts and the outcome belong into what is stored and are known at the end of the run only.
final class SetIntake: ChoiceSink {
    private let isOpen: Bool
    private let taken = Atomic(false)

    /// A closed one takes nothing in: that of a dry run.
    init(isOpen: Bool) {
        self.isOpen = isOpen
    }

    var isTaken: Bool { taken.load(ordering: .acquiring) }

    /// Accepts the set; a retried stage may come again.
    func store(_ choices: ChoiceOfThree) async throws(StageFailure) -> Bool {
        if isOpen { taken.store(true, ordering: .releasing) }
        return isOpen
    }
}

/// The vault that was read for the run.
struct OneVault: VaultSource {
    let vault: Vault

    func vault(_ id: VaultID) async throws(StageFailure) -> Vault { vault }
}

/// SHA-256 over the canonical form of all that was read.
package enum InputDigest {
    package static func of(_ parts: [JSONValue]) -> String {
        SHA256Digest(of: JSONWriter.bytes(.array(parts), style: .canonical)).hex
    }
}
