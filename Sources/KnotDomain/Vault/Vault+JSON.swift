package import JSONDocument

extension Vault {
    /// How many months a couple may be together.
    package static let tenures = 0...1_800
    /// CLDR's name for a zone that nobody has told; no machine has rules for it, and the run says so.
    package static let unknownZone = "Etc/Unknown"

    /// Reads a vault and notes every problem with its path; nil when there was one.
    package init?(reading reader: JSONReader) {
        let before = reader.problems.list.count
        let id = reader.required("id")?.uuid(Vault.self)
        let userID = reader.required("user_id")?.uuid(User.self)
        let partnerName = reader.required("partner_name")?.text(limit: TextLimit.name)
        let tenureMonths = reader.optional("relationship_tenure_months")?.int(in: Self.tenures)
        let cohabitation = reader.optional("cohabitation_status")?.choice(Cohabitation.self)
        let location = reader.optional("location").flatMap { Place(reading: $0) }
        // Accounts that are older than the column have none.
        let isZoneUnknown = reader.value["timezone"]?.isNull == true
        let timeZone = isZoneUnknown ? Self.unknownZone : reader.required("timezone")?.text(limit: TextLimit.name)
        let likes = VaultParts.interests(reader.required("likes")?.items())
        let dislikes = VaultParts.interests(reader.required("dislikes")?.items())
        VaultParts.expectDisjoint(likes: likes, dislikes: dislikes)
        let tags = reader.required("vibes")
        let vibes = VaultParts.vibes(tags?.items(), of: tags)
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

/// Reads the lists of a vault whose items must agree with one another, wherever each of them stands.
package enum VaultParts {
    /// An interest and where it was read.
    package struct ReadInterest {
        let reader: JSONReader
        package let interest: Interest
        var key: String { interest.name.lowercased() }
    }

    package static func interests(_ items: [JSONReader]?) -> [ReadInterest] {
        var seen: Set<String> = []
        return (items ?? []).compactMap { item in
            guard let name = item.text(limit: TextLimit.tag) else { return nil }
            let read = ReadInterest(reader: item, interest: Interest(name))
            guard seen.insert(read.key).inserted else {
                item.note("\"\(name)\" is listed twice")
                return nil
            }
            return read
        }
    }

    package static func expectDisjoint(likes: [ReadInterest], dislikes: [ReadInterest]) {
        let liked = Set(likes.map(\.key))
        for dislike in dislikes where liked.contains(dislike.key) {
            dislike.reader.note("\"\(dislike.interest.name)\" is among the likes too")
        }
    }

    package static func vibes(_ items: [JSONReader]?, of list: JSONReader?) -> [Vibe] {
        var vibes: [Vibe] = []
        for item in items ?? [] {
            guard let vibe = item.choice(Vibe.self) else { continue }
            if vibes.contains(vibe) { item.note("\"\(vibe.rawValue)\" is listed twice") } else { vibes.append(vibe) }
        }
        if let list, items?.isEmpty == true, list.value.array != nil { list.note("needs at least one vibe") }
        return vibes
    }

    static func budgets(_ reader: JSONReader?) -> [OccasionTier: Budget] {
        guard let reader else { return [:] }
        var budgets: [OccasionTier: Budget] = [:]
        for tier in OccasionTier.allCases {
            guard let member = reader.required(tier.rawValue) else {
                // Of what is no object, one problem is enough.
                if reader.value.object == nil { return [:] }
                continue
            }
            budgets[tier] = Budget(reading: member)
        }
        for name in reader.value.object?.names ?? [] where OccasionTier(rawValue: name) == nil {
            reader.note("is not a budget tier", at: name)
        }
        return budgets
    }

    /// Notes ids that came before in the same list.
    package static func expectDistinct(_ items: [(reader: JSONReader, id: String?)]) {
        var seen: Set<String> = []
        for item in items {
            if let id = item.id, !seen.insert(id.lowercased()).inserted {
                item.reader.note("\"\(id)\" is listed twice", at: "id")
            }
        }
    }
}

extension LoveLanguages {
    /// Reads the two love languages and notes every problem; nil when there was one.
    package init?(reading reader: JSONReader) {
        let primary = reader.required("primary")?.choice(LoveLanguage.self)
        let secondary = reader.required("secondary")?.choice(LoveLanguage.self)
        guard let primary, let secondary else { return nil }
        guard primary != secondary else {
            reader.note("must differ from the primary one", at: "secondary")
            return nil
        }
        self.init(primary: primary, secondary: secondary)
    }

    package var json: JSONValue {
        ["primary": .string(primary.rawValue), "secondary": .string(secondary.rawValue)]
    }
}

extension Place {
    /// Reads a place whose parts may each be unknown.
    package init?(reading reader: JSONReader) {
        guard reader.value.object != nil else {
            reader.note("expected an object, found \(reader.value.kindName)")
            return nil
        }
        let city = reader.optional("city")?.optionalText(limit: TextLimit.name)
        let state = reader.optional("state")?.optionalText(limit: TextLimit.name)
        var country = reader.optional("country")?.optionalText(limit: TextLimit.name)?.uppercased()
        if let code = country {
            let isCode = code.utf8.count == 2 && code.utf8.allSatisfy { (0x41...0x5A).contains($0) }
            if !isCode {
                reader.note("expected a country's code of two letters, found \"\(code.prefix(40))\"", at: "country")
                country = nil
            }
        }
        self.init(city: city, state: state, country: country)
    }

    package var json: JSONValue {
        ["city": JSONValue(city), "state": JSONValue(state), "country": JSONValue(country)]
    }
}
