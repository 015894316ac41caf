import JSONDocument
import KnotDomain
import Recommendation

/// The result a refresh starts from: what was shown, and the occasion it was shown for.
struct PreviousResult: Sendable {
    let refresh: RefreshRequest
    let occasion: OccasionRequest

    static func read(_ path: String, _ options: RefreshVerbOptions) throws(CommandError) -> PreviousResult {
        try PreviousResult(InputFile.readJSON(path, broken: .badInput), in: path, options)
    }

    init(_ value: JSONValue, in source: String, _ options: RefreshVerbOptions) throws(CommandError) {
        let reader = JSONReader(value)
        if value["schema"]?.string != "knot.choice/1" { reader.note("expected \"knot.choice/1\"", at: "schema") }
        let refresh = RefreshDocument.next(after: reader, reason: options.reason, rejected: Set(options.rejected))
        let tier = reader.required("occasion")?.choice(OccasionTier.self)
        let milestone = reader.optional("milestone_id")?.string()
        let shown = (value["choices"]?.array ?? []).compactMap { $0["position"]?.int }
        for position in options.rejected where !shown.contains(position) {
            reader.note("there is no choice at position \(position) to reject", at: "choices")
        }
        guard let refresh, let tier, reader.problems.list.isEmpty else {
            throw CommandError(
                .badInput,
                "it is not a result that can be refreshed",
                at: source,
                todo: "give the output of run --json",
                problems: reader.problems.list.map { CommandProblem(file: source, $0) }
            )
        }
        self.refresh = refresh
        occasion = milestone.map { .milestone(MilestoneID($0)) } ?? .tier(tier)
    }
}
