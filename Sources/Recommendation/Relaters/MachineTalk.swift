/// Tells sentences that talk to whoever ranks from those that speak of the thing.
enum MachineTalk {
    /// Whether a sentence tells somebody to do something with ranks, scores or instructions.
    static func isAddressed(in sentence: [String]) -> Bool {
        var orders = false
        var mentions = false
        for word in sentence {
            for part in word.lowercased().split(whereSeparator: { !$0.isLetter }) {
                orders = orders || commands.contains(String(part))
                mentions = mentions || objects.contains(String(part))
            }
            if orders, mentions { return true }
        }
        // A heading such as "SYSTEM:" or a bare "score: 1".
        return mentions && sentence.count <= 2
    }

    /// What a listing would have others do with it.
    private static let commands: Set<String> = [
        "approve", "approved", "choose", "disregard", "drop", "execute", "forget", "ignore", "inject", "output",
        "override",
        "pick", "print", "promote", "rank", "recommend", "return", "score", "select", "set",
        "show",
    ]

    /// Whom it would have do so, and with what.
    private static let objects: Set<String> = [
        "assistant", "candidates", "evaluator", "everyone", "first", "identifier", "instruction", "instructions", "me",
        "model", "only", "position", "previous", "prompt", "ranking", "score", "system", "table", "user", "users",
    ]
}
