import JSONDocument
import KnotDomain
package import StageGraph
import TextEncoding
import Threads

/// Runs plans: one executor, any number of runs, one after another or side by side.
package struct Engine: Sendable {
    private let runner: GraphRunner

    /// Threads for stages; joins and timers have their own.
    package init(threads: Int) {
        runner = GraphRunner(executor: StageExecutor(threads: threads))
    }

    /// Runs a plan on the calling thread, which waits for it.
    package func run(_ plan: Plan, ports: StagePorts, options: RunOptions) -> EngineRun {
        let report = runner.run(Self.bound(plan, ports), options: options)
        return EngineRun(plan: plan, seed: options.seed, report: report)
    }

    /// Runs a plan without blocking the caller's thread.
    package func report(_ plan: Plan, ports: StagePorts, options: RunOptions) async -> EngineRun {
        let report = await runner.report(of: Self.bound(plan, ports), options: options)
        return EngineRun(plan: plan, seed: options.seed, report: report)
    }

    private static func bound(_ plan: Plan, _ ports: StagePorts) -> BoundPlan {
        var ports = ports
        ports.filters = PlanFilters(plan)
        return plan.bind(to: ports)
    }
}

extension Engine {
    /// Begins to read the lexicon on a thread of its own, so that whoever asks for a run can read their files meanwhile.
    package static func prepareLexicon() {
        // Without a thread it is read when it is first asked for, as ever.
        _ = OwnThread.start { _ = Lexicon.shared }
    }
}

/// What came of a run: the set, or why there is none, and the whole report behind it.
package struct EngineRun: Sendable {
    package let plan: Plan
    package let seed: UInt64
    package let report: RunReport
    package let result: Result<ChoiceOfThree, StageFailure>

    package init(plan: Plan, seed: UInt64, report: RunReport) {
        self.plan = plan
        self.seed = seed
        self.report = report
        do throws(StageFailure) {
            result = .success(try report.result(as: ChoiceOfThree.self))
        } catch {
            result = .failure(error)
        }
    }

    package var outcome: Outcome {
        switch result {
        case .failure: .failed
        case .success(let choices) where choices.isShort: .short
        case .success: report.isDegraded ? .degraded : .complete
        }
    }

    /// Whether the sink said that the set is stored.
    package var isStored: Bool {
        // By index: a node is large to copy.
        plan.nodes.indices.contains { index in
            plan.nodes[index].stage.role == .sink && report.output(of: index, as: Bool.self) == true
        }
    }
}

/// How a run ended.
package enum Outcome: String, CaseIterable, Sendable {
    case complete
    /// Three choices, with reasons why they could have been better.
    case degraded
    /// Fewer than three.
    case short
    case failed
}

extension TraceRedaction {
    /// Leaves out what a vault's person wrote or what was made of it: phrases of readings and likes in their own words.
    ///
    /// Past gifts and hints are named by days and ids, and words of the shipped vocabulary tell of nobody.
    package static let vaultTexts = TraceRedaction(
        evidence: { evidence in
            switch evidence.kind {
            case "theme": true
            case "interest": !isVocabulary(evidence.ref)
            case "learned": evidence.ref.hasPrefix("interest:") && !isVocabulary(String(evidence.ref.dropFirst(9)))
            default: false
            }
        },
        removal: { $0.reason == "disliked" || $0.reason == "avoided" && isVocabulary($0.evidence) }
    )

    private static func isVocabulary(_ name: String) -> Bool { KnownInterest(rawValue: name) != nil }
}
