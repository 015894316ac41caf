package import JSONDocument

extension Feedback {
    /// Reads one feedback and notes every problem; nil when there was one.
    package init?(reading reader: JSONReader) {
        let before = reader.problems.list.count
        let action = reader.required("action")?.choice(Action.self)
        let rating = reader.optional("rating")?.int(in: 1...5)
        let reason = reader.optional("reason")?.optionalText(limit: TextLimit.reason)
        guard reader.problems.list.count == before, let action else { return nil }
        self.init(action: action, rating: rating, reason: reason)
    }

    package var json: JSONValue {
        ["action": .string(action.rawValue), "rating": JSONValue(rating), "reason": JSONValue(reason)]
    }
}
