package import JSONDocument
package import KnotDomain

/// The rejections a result carries along, so that the next refresh can add to them.
package enum RefreshDocument {
    package static func json(_ refresh: RefreshRequest?) -> JSONValue {
        guard let refresh else { return .null }
        return [
            "round": .integer(refresh.round), "rejections": .array(refresh.rejections.map(json)),
            "kept": .array(
                refresh.kept.map {
                    ["position": .integer($0.position), "candidate_id": .string($0.candidateID.text)]
                }
            ),
        ]
    }

    private static func json(_ rejection: Rejection) -> JSONValue {
        [
            "candidate_id": .string(rejection.candidateID.text), "type": .string(rejection.type.rawValue),
            "title": .string(rejection.title), "description": JSONValue(rejection.description),
            "merchant": JSONValue(rejection.merchant), "url": .string(rejection.url),
            "budget_cents": JSONValue(rejection.budgetCents), "reason": .string(rejection.reason.rawValue),
            "rejected": .bool(rejection.isRejected), "round": JSONValue(rejection.round),
        ]
    }

    /// Makes the next round of the positions that were turned down; none means all of them.
    package static func next(after result: JSONReader, reason: RefreshReason, rejected: Set<Int>) -> RefreshRequest? {
        let before = result.problems.list.count
        let earlier = result.optional("refresh").flatMap(read)
        var rejections = earlier?.rejections ?? []
        let round = (earlier?.round ?? 0) + 1
        var kept: [RefreshRequest.Kept] = []
        for choice in result.required("choices")?.items() ?? [] {
            let position = choice.required("position")?.int(in: 1...3) ?? 0
            guard var rejection = rejection(choice, reason: reason, isRejected: true) else { continue }
            rejection.round = round
            if rejected.isEmpty || rejected.contains(position) {
                rejections.append(rejection)
            } else {
                kept.append(RefreshRequest.Kept(position: position, candidateID: rejection.candidateID))
            }
        }
        guard result.problems.list.count == before else { return nil }
        return RefreshRequest(round: round, rejections: rejections, kept: kept)
    }

    /// Reads what `json` wrote, and notes every problem.
    package static func read(_ reader: JSONReader) -> RefreshRequest? {
        let before = reader.problems.list.count
        let rejections = (reader.required("rejections")?.items() ?? []).compactMap {
            rejection($0, reason: nil, isRejected: nil)
        }
        let kept = (reader.optional("kept")?.items() ?? []).compactMap { item -> RefreshRequest.Kept? in
            guard let position = item.required("position")?.int(in: 1...3),
                let id = item.required("candidate_id")?.string()
            else { return nil }
            return RefreshRequest.Kept(position: position, candidateID: CandidateID(id))
        }
        guard let round = reader.required("round")?.int(), reader.problems.list.count == before else { return nil }
        return RefreshRequest(round: round, rejections: rejections, kept: kept)
    }

    private static func rejection(_ reader: JSONReader, reason: RefreshReason?, isRejected: Bool?) -> Rejection? {
        guard let id = reader.required("candidate_id")?.string(),
            let type = reader.required("type")?.choice(CandidateType.self),
            let title = reader.required("title")?.string(), let url = reader.required("url")?.string(),
            let why = reason ?? reader.required("reason")?.choice(RefreshReason.self),
            let wasRejected = isRejected ?? reader.required("rejected")?.bool()
        else { return nil }
        return Rejection(
            candidateID: CandidateID(id),
            type: type,
            title: title,
            description: reader.optional("description")?.string(),
            merchant: reader.optional("merchant")?.string(),
            url: url,
            budgetCents: reader.optional("budget_cents")?.int(),
            reason: why,
            isRejected: wasRejected,
            round: reader.optional("round")?.int()
        )
    }
}
