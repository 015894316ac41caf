import JSONDocument
import KnotDomain
import Recommendation
import StageGraph

extension EngineHooks {
    /// Adds `explain`: why these three, or one candidate's life and the smallest change that would have chosen it.
    mutating func addExplaining(_ pipelines: PipelineDesk) {
        explain = { (options, context) async throws(CommandError) in
            let subject = try await ExplainedRun(options, pipelines, context)
            if let caveat = subject.caveat { context.note(caveat) }
            let explanation = RunExplanation(subject.run, showsHints: true)
            if let stored = subject.stored, options.candidate.map(stored.shows) ?? true {
                return TextReport(json: stored.json, lines: stored.lines())
            }
            guard let candidate = options.candidate else {
                return TextReport(json: explanation.json(), lines: explanation.lines())
            }
            context.progress("looking for the smallest change that would have chosen \(candidate)")
            do throws(UnknownCandidateError) {
                let life = try explanation.life(of: candidate)
                let again = subject.again
                var search = ChangeSearch(subject.run, candidate: candidate) { again.rerun($0) }
                let change = try search.search()
                return TextReport(
                    json: explanation.json(life: life, change: change),
                    lines: life.lines() + [""] + change.lines()
                )
            } catch {
                throw CommandError(
                    .notFound,
                    error.description,
                    at: "--candidate",
                    todo: "run --json and --trace name the candidates"
                )
            }
        }
    }
}
