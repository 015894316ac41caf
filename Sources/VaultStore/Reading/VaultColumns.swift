/// Where in the tables a place of a vault's document comes from, so that a problem names the row to repair.
struct VaultColumns {
    /// The ids of the rows of each list, in the lists' order.
    var likes: [String] = []
    var dislikes: [String] = []
    var vibes: [String] = []
    var milestones: [String] = []
    var hints: [String] = []
    var history: [String] = []
    /// For each item of the history the ids of its feedback.
    var feedback: [[String]] = []

    /// `hints[…].hint_text` for `$.hints[3].text`; a path that belongs to no column stays as it is.
    func place(of path: String) -> String {
        let steps = Self.steps(path)
        guard let first = steps.first else { return "partner_vaults" }
        let rest = Array(steps.dropFirst())
        switch first {
        case "likes": return row("partner_interests", likes, rest, columns: [:]) + ".interest_category"
        case "dislikes": return row("partner_interests", dislikes, rest, columns: [:]) + ".interest_category"
        case "vibes": return row("partner_vibes", vibes, rest, columns: [:]) + (rest.isEmpty ? "" : ".vibe_tag")
        case "milestones": return row("partner_milestones", milestones, rest, columns: Self.milestoneColumns)
        case "hints": return row("hints", hints, rest, columns: Self.hintColumns)
        case "history": return historyPlace(rest)
        case "budgets":
            let column = rest.dropFirst().first.map { ".\(Self.budgetColumns[$0] ?? $0)" } ?? ""
            return "partner_budgets" + (rest.first.map { "[\($0)]" } ?? "") + column
        case "love_languages":
            let priority = rest.first.map { $0 == "primary" ? "[1].language" : "[2].language" } ?? ""
            return "partner_love_languages" + priority
        case "location": return "partner_vaults.location_" + (rest.first ?? "city")
        case "timezone": return "users.timezone"
        default: return "partner_vaults.\(first)"
        }
    }

    private func historyPlace(_ steps: [String]) -> String {
        guard steps.count > 2, steps[1] == "feedback", let item = Int(steps[0]), feedback.indices.contains(item) else {
            return row("recommendations", history, steps, columns: Self.historyColumns)
        }
        let rest = Array(steps.dropFirst(2))
        return row("recommendation_feedback", feedback[item], rest, columns: Self.feedbackColumns)
    }

    private func row(_ table: String, _ ids: [String], _ steps: [String], columns: [String: String]) -> String {
        guard let step = steps.first else { return table }
        let id = Int(step).flatMap { ids.indices.contains($0) ? ids[$0] : nil } ?? step
        return "\(table)[\(id)]" + (steps.dropFirst().first.map { ".\(columns[$0] ?? $0)" } ?? "")
    }

    /// The steps of a path as readers write them; their names are plain here.
    private static func steps(_ path: String) -> [String] {
        path.split(whereSeparator: { ".[]".contains($0) }).map(String.init).filter { $0 != "$" }
    }

    private static let milestoneColumns = [
        "type": "milestone_type", "name": "milestone_name", "date": "milestone_date",
    ]
    private static let hintColumns = ["text": "hint_text"]
    private static let historyColumns = [
        "type": "recommendation_type", "merchant": "merchant_name", "url": "external_url", "at": "created_at",
    ]
    private static let feedbackColumns = ["reason": "feedback_text"]
    private static let budgetColumns = ["min_cents": "min_amount", "max_cents": "max_amount"]
}
