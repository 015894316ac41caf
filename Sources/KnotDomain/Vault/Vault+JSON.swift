package import JSONDocument

extension Vault {
    /// Reads a vault and notes every problem with its path; nil when there was one.
    package init?(reading reader: JSONReader) {
        let before = reader.problems.list.count
        let id = reader.required("id")?.uuid(Vault.self)
        let userID = reader.required("user_id")?.uuid(User.self)
        let partnerName = reader.required("partner_name")?.text(limit: TextLimit.name)
        let tenureMonths = reader.optional("relationship_tenure_months")?.int(in: 0...1_800)
        let cohabitation = reader.optional("cohabitation_status")?.choice(Cohabitation.self)
        let location = reader.optional("location").flatMap { Place(reading: $0) }
        let timeZone = reader.required("timezone")?.text(limit: TextLimit.name)
        let likes = VaultParts.interests(reader.required("likes"))
        let dislikes = VaultParts.interests(reader.required("dislikes"))
        VaultParts.expectDisjoint(likes: likes, dislikes: dislikes, in: reader)
        let vibes = VaultParts.vibes(reader.required("vibes"))
        let budgets = VaultParts.budgets(reader.required("budgets"))
        let loveLanguages = reader.required("love_languages").flatMap { LoveLanguages(reading: $0) }
        let milestones = reader.optional("milestones")?.items().map { ($0, Milestone(reading: $0)) } ?? []
        VaultParts.expectDistinct(milestones.map { ($0, $1?.id.text) })
        let hints = reader.optional("hints")?.items().map { ($0, Hint(reading: $0)) } ?? []
        VaultParts.expectDistinct(hints.map { ($0, $1?.id.text) })
        let history = reader.optional("history")?.items().compactMap { HistoryItem(reading: $0) } ?? []
        let learned = reader.optional("learned").flatMap { LearnedTaste(reading: $0) }
        guard reader.problems.list.count == before, let id, let userID, let partnerName, let timeZone, let loveLanguages
        else { return nil }
        self.init(
            id: id,
            userID: userID,
            partnerName: partnerName,
            tenureMonths: tenureMonths,
            cohabitation: cohabitation,
            location: location,
            timeZone: timeZone,
            likes: likes.map(\.interest),
            dislikes: dislikes.map(\.interest),
            vibes: vibes,
            budgets: budgets,
            loveLanguages: loveLanguages,
            milestones: milestones.compactMap(\.1),
            hints: hints.compactMap(\.1),
            history: history,
            learned: learned
        )
    }

    /// The fields of a fixture's vault, in its order; what was learned only where something was.
    package var json: JSONValue {
        guard let learned else { return told }
        var vault = told.object ?? JSONObject()
        vault["learned"] = learned.json
        return .object(vault)
    }

    private var told: JSONValue {
        let tiers = OccasionTier.allCases.compactMap { tier in
            budgets[tier].map { JSONObject.Member(name: tier.rawValue, value: $0.json) }
        }
        return [
            "id": .string(id.text), "user_id": .string(userID.text), "partner_name": .string(partnerName),
            "relationship_tenure_months": JSONValue(tenureMonths),
            "cohabitation_status": JSONValue(cohabitation?.rawValue), "location": location?.json ?? .null,
            "timezone": .string(timeZone), "likes": JSONValue(likes.map(\.name)),
            "dislikes": JSONValue(dislikes.map(\.name)), "vibes": JSONValue(vibes.map(\.rawValue)),
            "budgets": .object(JSONObject(tiers)), "love_languages": loveLanguages.json,
            "milestones": .array(milestones.map(\.json)), "hints": .array(hints.map(\.json)),
            "history": .array(history.map(\.json)),
        ]
    }
}
