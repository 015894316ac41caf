import KnotDomain
import Shipped
import StageGraph
import TestSupport
import Testing
import Threads

@testable import Recommendation

/// Every node of both pipelines made to go wrong in every way, one at a time.
@Suite(.serialized) struct NodeFailureTests {
    struct Place: Sendable, CustomTestStringConvertible {
        let pipeline: String
        let node: NodeID

        var testDescription: String { "\(pipeline) \(node)" }
    }

    static let places: [Place] = ShippedPipelines.names.flatMap { pipeline in
        do {
            return try ShippedPipelines.plan(pipeline).nodes.map { Place(pipeline: pipeline, node: $0.id) }
        } catch {
            return []
        }
    }

    /// Whoever reaches outside can fail in every way; a stage that only computes blames its input, itself or the machine.
    private static func classes(of place: Place) throws -> [FailureClass] {
        let role = try ShippedPipelines.plan(place.pipeline)[place.node]?.stage.role
        let isOutward = [.reader, .source, .check, .sink].contains(role)
        return isOutward ? FailureClass.allCases : [.data, .stage, .platform]
    }

    /// With an engine of its own: stalled calls keep its threads for a while.
    private func run(
        _ place: Place,
        _ mishap: Mishap,
        within short: Duration = .milliseconds(80)
    ) async throws -> EngineRun {
        let runner = GraphRunner(executor: StageExecutor(threads: 2, lossLimit: 64))
        let plan = try MatrixWorld.plan(place.pipeline, place.node, mishap)
        let definition = try PipelineDefinition(json: plan.definition, file: plan.name)
        let bound = try Plan(definition, catalog: .with(mishap, at: place.node)).bind(to: MatrixWorld.scene.ports())
        return EngineRun(
            plan: plan,
            seed: 0,
            report: await runner.report(of: bound, options: MatrixWorld.options(mishap, within: short))
        )
    }

    @Test func `the matrix covers both pipelines, whose world is a good one`() async throws {
        #expect(Self.places.count > 50)
        for pipeline in ShippedPipelines.names {
            let run = try await MatrixWorld.scene.run(pipeline)
            #expect(run.shown.count == 3, "\(pipeline)")
        }
    }

    @Test(arguments: places) func `a failing node is told, and only a needed one ends the run`(
        place: Place
    ) async throws {
        for failureClass in try Self.classes(of: place) {
            let label = "\(place.testDescription) fails with class \(failureClass)"
            let run = try await run(place, .fails(failureClass))
            RunLaws.expect(run, label)
            RunLaws.expectTold(run, of: place.node, label)
            let endsRun = failureClass == .stage || run.plan.cannotSpare(place.node)
            #expect((run.outcome == .failed) == endsRun, "\(label)")
            if endsRun, case .failure(let failure) = run.result {
                #expect(failure.failureClass == failureClass, "\(label)")
            }
        }
    }

    @Test(arguments: places) func `a node that stalls is given up in time`(place: Place) async throws {
        for mishap in [Mishap.outlivesItsLife, .outlivesTheRun] {
            let label = "\(place.testDescription) \(mishap)"
            var short = Duration.milliseconds(80)
            var run = try await run(place, mishap, within: short)
            // A slow machine may take all of a short run before it comes to the node.
            while run.report[place.node]?.started == nil, short < .seconds(10) {
                short *= 2
                run = try await self.run(place, mishap, within: short)
            }
            RunLaws.expect(run, within: short, label)
            RunLaws.expectTold(run, of: place.node, label)
            let state = run.report[place.node]?.state
            #expect(state != .succeeded, "\(label): \(String(describing: state))")
            if mishap == .outlivesItsLife {
                #expect((run.outcome == .failed) == run.plan.cannotSpare(place.node), "\(label): \(run.outcome)")
            }
        }
    }

    @Test(arguments: places) func `a node that answers wrongly invents nothing`(place: Place) async throws {
        for mishap in [Mishap.answersNothing, .answersNonsense, .answersTwice] {
            let label = "\(place.testDescription) \(mishap)"
            let run = try await run(place, mishap)
            RunLaws.expect(run, label)
            if case .failure(let failure) = run.result {
                let isSaid = failure.failureClass == .stage || failure.failureClass == .data
                #expect(isSaid && failure.description.contains(place.node.text), "\(label): \(failure)")
            }
        }
    }
}
