package import JSONDocument

extension HistoryItem {
    /// Reads one item of the history and notes every problem; nil when there was one.
    package init?(reading reader: JSONReader) {
        let before = reader.problems.list.count
        let title = reader.required("title")?.text(limit: TextLimit.title)
        let type = reader.required("type")?.choice(CandidateType.self)
        let merchant = reader.optional("merchant")?.optionalText(limit: TextLimit.name)
        let url = reader.optional("url")?.webAddress()
        let priceCents = reader.optional("price_cents")?.minorUnits()
        let moment = reader.required("at")?.instant()
        let feedback = reader.optional("feedback")?.items().compactMap { Feedback(reading: $0) } ?? []
        guard reader.problems.list.count == before, let title, let type, let moment else { return nil }
        self.init(
            title: title,
            type: type,
            merchant: merchant,
            url: url,
            priceCents: priceCents,
            at: moment,
            feedback: feedback
        )
    }

    package var json: JSONValue {
        [
            "title": .string(title), "type": .string(type.rawValue), "merchant": JSONValue(merchant),
            "url": JSONValue(url), "price_cents": JSONValue(priceCents), "at": .string(at.iso8601),
            "feedback": .array(feedback.map(\.json)),
        ]
    }
}
