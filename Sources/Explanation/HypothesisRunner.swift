import JSONDocument
import KnotDomain
package import Recommendation
package import StageGraph
import Threads

/// Runs a plan again with one thing changed, in the world it ran in.
package struct HypothesisRunner: Sendable {
    private let plan: Plan
    private let ports: StagePorts
    private let options: @Sendable () -> RunOptions
    private let runner: GraphRunner

    /// Takes the ports of the run that is asked about, and what makes its options: the same seed and subject, effects
    /// live or replayed and never recorded, anew for each run since the player of a recording is used up by one.
    package init(plan: Plan, ports: StagePorts, threads: Int = 1, options: @escaping @Sendable () -> RunOptions) {
        self.plan = plan
        self.ports = ports
        self.options = options
        runner = GraphRunner(executor: StageExecutor(threads: threads))
    }

    /// Runs once, blocking the calling thread; a change that makes no valid plan throws its problems.
    package func run(_ hypothesis: Hypothesis) throws(PipelineError) -> EngineRun {
        var options = options()
        var plan = plan
        var ports = ports
        if case .setting(let setting) = hypothesis { plan = try Self.plan(self.plan, with: setting) }
        if case .available(let item) = hypothesis {
            if case .replaying(let player) = options.effects {
                // The recording must not answer for this one page, or nobody asks the checker.
                options.effects = .replaying(
                    player.forgetting {
                        $0.kind == .availabilityProbe && $0.key.array?.first?.string == item.text
                    }
                )
            }
            ports.checker = AlwaysAvailableChecker(ports.checker, generousTo: CandidateID(item.text))
        }
        var bound = plan.bind(to: ports)
        if case .kept(let item, let node) = hypothesis { bound = bound.sparing(item, at: node, in: Offer.self) }
        return EngineRun(plan: plan, seed: options.seed, report: runner.run(bound, options: options))
    }

    /// The same, with nil for a change that makes no valid plan: no run could have had it, so it chooses nobody.
    package func rerun(_ hypothesis: Hypothesis) -> EngineRun? {
        do throws(PipelineError) {
            return try run(hypothesis)
        } catch {
            return nil
        }
    }

    private static func plan(_ plan: Plan, with setting: CommandLineSetting) throws(PipelineError) -> Plan {
        var definition = plan.definition.object ?? JSONObject()
        var nodes = definition["nodes"]?.array ?? []
        guard let index = nodes.firstIndex(where: { $0["id"]?.string == setting.node.text }),
            var node = nodes[index].object
        else {
            throw PipelineError([
                PipelineProblem(file: plan.name, path: "$.nodes", message: "there is no node \"\(setting.node)\"")
            ])
        }
        var parameters = node["parameters"]?.object ?? JSONObject()
        parameters[setting.parameter] = setting.value
        node["parameters"] = .object(parameters)
        nodes[index] = .object(node)
        definition["nodes"] = .array(nodes)
        return try plan.replanned(as: PipelineDefinition(json: .object(definition), file: plan.name))
    }
}

/// A checker that finds one candidate in stock and asks another checker about all the rest.
struct AlwaysAvailableChecker: AvailabilityChecker {
    private let base: any AvailabilityChecker
    private let favourite: CandidateID

    init(_ base: any AvailabilityChecker, generousTo favourite: CandidateID) {
        self.base = base
        self.favourite = favourite
    }

    func probe(_ candidate: Candidate) async throws(StageFailure) -> AvailabilityProbe {
        guard candidate.id != favourite else {
            return AvailabilityProbe(status: 200, signal: .inStock, price: .notLooked)
        }
        return try await base.probe(candidate)
    }
}
