import Console
package import JSONDocument
import KnotDomain

/// What is asked of a new vault beyond what its fields can hold: names that exist, and no field that nobody reads.
///
/// Each check says what is wrong, with the nearest name that is right; nil where nothing is.
package enum VaultChecks {
    // MARK: - Names

    static func zone(_ name: String) -> String? {
        if ZoneDirectory().rules(named: name) != nil { return nil }
        return "\"\(name.prefix(60))\" is no time zone" + hint(name, among: ZoneNames.all, such: "Europe/Paris")
    }

    static func currency(_ code: String) -> String? {
        let upper = code.uppercased()
        if currencies.contains(upper) { return nil }
        return "\"\(code.prefix(60))\" is no currency" + hint(upper, among: currencies, such: "EUR")
    }

    static func country(_ code: String) -> String? {
        let known = ZoneNames.countries
        // A machine without the list cannot tell, and then two letters do.
        if known.contains(code.uppercased()) || known.isEmpty && code.count == 2 { return nil }
        return "\"\(code.prefix(60))\" is no country's code of two letters, such as FR"
    }

    /// Whether a name would be read as it was written; a longer one would be cut, and controls left out.
    static func name(_ limit: Int = TextLimit.name) -> (String) -> String? {
        { text in
            if text.utf8.count > limit { return "is longer than \(limit) bytes" }
            let control = text.unicodeScalars.first { $0.properties.generalCategory == .control }
            return control.map { "has a control character (U+\(String($0.value, radix: 16, uppercase: true)))" }
        }
    }

    private static func hint(_ typed: String, among known: [String], such example: String) -> String {
        if let nearest = EditDistance.nearest(to: typed, among: known) { return "; did you mean \(nearest)?" }
        // Many people know the town and not the region before it.
        let town = typed.split(separator: "/").last.map { $0.replacing(" ", with: "_").lowercased() } ?? ""
        let found = known.first { $0.lowercased().hasSuffix("/\(town)") }
        return found.map { "; did you mean \($0)?" } ?? ", such as \(example)"
    }

    /// ISO 4217, those in use.
    private static let currencies =
        """
        AED AFN ALL AMD ANG AOA ARS AUD AWG AZN BAM BBD BDT BGN BHD BIF BMD BND BOB BRL BSD BTN BWP BYN BZD CAD CDF CHF CLF \
        CLP CNY COP CRC CUP CVE CZK DJF DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GNF GTQ GYD HKD HNL HTG HUF \
        IDR ILS INR IQD IRR ISK JMD JOD JPY KES KGS KHR KMF KPW KRW KWD KYD KZT LAK LBP LKR LRD LSL LYD MAD MDL MGA MKD MMK \
        MNT MOP MRU MUR MVR MWK MXN MYR MZN NAD NGN NIO NOK NPR NZD OMR PAB PEN PGK PHP PKR PLN PYG QAR RON RSD RUB RWF SAR \
        SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB TJS TMT TND TOP TRY TTD TWD TZS UAH UGX USD UYU UYW UZS \
        VED VES VND VUV WST XAF XCD XCG XOF XPF YER ZAR ZMW ZWG
        """
        .split(whereSeparator: \.isWhitespace).map(String.init)

    // MARK: - Fields

    /// Every problem of a written vault that reading it would not find.
    package static func problems(in document: JSONValue) -> [JSONProblem] {
        let isWhole = document["vault"]?.object != nil
        let reader = JSONReader(document)
        if isWhole { expectOnly(whole, in: reader) }
        guard let vault = isWhole ? reader.optional("vault") : reader, vault.value.object != nil else {
            return reader.problems.list
        }
        expectOnly(isWhole ? vaultFields : vaultFields + ["schema", "$schema", "how_to"], in: vault)
        for (name, fields) in [("location", locationFields), ("love_languages", languageFields)] {
            if let member = vault.optional(name) { expectOnly(fields, in: member) }
        }
        for (name, fields) in [("milestones", milestoneFields), ("hints", hintFields), ("history", historyFields)] {
            for item in items(vault.optional(name)) {
                expectOnly(fields, in: item)
                for feedback in items(item.optional("feedback")) { expectOnly(feedbackFields, in: feedback) }
            }
        }
        let budgets = vault.optional("budgets")
        for tier in budgets?.value.object?.names ?? [] {
            guard let budget = budgets?.optional(tier) else { continue }
            expectOnly(budgetFields, in: budget)
            note(currency, at: budget.optional("currency"))
        }
        let place = vault.optional("location")
        for text in [vault.optional("partner_name"), place?.optional("city"), place?.optional("state")]
            + items(vault.optional("milestones")).map({ $0.optional("name") })
        { note(name(), at: text) }
        for item in ["likes", "dislikes"].flatMap({ items(vault.optional($0)) }) { note(name(TextLimit.tag), at: item) }
        for item in items(vault.optional("history")) { note(name(TextLimit.title), at: item.optional("title")) }
        note(zone, at: vault.optional("timezone"))
        note(country, at: vault.optional("location")?.optional("country"))
        return reader.problems.list
    }

    private static func items(_ reader: JSONReader?) -> [JSONReader] {
        // What is no list is told by whoever reads the vault.
        guard let reader, reader.value.array != nil else { return [] }
        return reader.items()
    }

    private static func note(_ check: (String) -> String?, at reader: JSONReader?) {
        if let reader, let text = reader.value.string, !text.isEmpty, let problem = check(text) { reader.note(problem) }
    }

    private static func expectOnly(_ known: [String], in reader: JSONReader) {
        for name in reader.value.object?.names ?? [] where !known.contains(name) {
            let nearest = EditDistance.nearest(to: name.lowercased(), among: known)
            reader.note("is not a known member" + (nearest.map { "; did you mean \($0)?" } ?? ""), at: name)
        }
    }

    private static let whole = [
        "$schema", "schema", "name", "story", "as_of", "request", "vault", "candidates", "judgments", "how_to",
    ]
    private static let vaultFields = [
        "id", "user_id", "partner_name", "relationship_tenure_months", "cohabitation_status", "location", "timezone",
        "likes", "dislikes", "vibes", "budgets", "love_languages", "milestones", "hints", "history", "learned",
    ]
    private static let locationFields = ["city", "state", "country"]
    private static let languageFields = ["primary", "secondary"]
    private static let budgetFields = ["min_cents", "max_cents", "currency"]
    private static let milestoneFields = ["id", "type", "name", "date", "recurrence", "budget_tier"]
    private static let hintFields = ["id", "text", "source", "created_at", "is_used"]
    private static let historyFields = [
        "id", "title", "type", "merchant", "url", "price_cents", "at", "feedback",
    ]
    private static let feedbackFields = ["action", "rating", "reason"]
}

/// The names that the machine's zone files know.
enum ZoneNames {
    /// Zones and their links, sorted.
    static let all: [String] = {
        let zones = table("zone.tab").compactMap { $0.count > 2 ? $0[2] : nil }
        return (zones + ["Etc/UTC", "UTC"]).sorted()
    }()

    /// Countries' codes of two letters; empty where the list is missing.
    static let countries = Set(table("iso3166.tab").compactMap(\.first))

    /// The fields of each line; a machine without the table has none.
    private static func table(_ name: String) -> [[String]] {
        guard let bytes = try? InputFile.read("\(ZoneDirectory().path)/\(name)") else { return [] }
        return String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline).filter { !$0.hasPrefix("#") }
            .map { $0.split(separator: "\t").map { $0.trimmingPrefix(" ") }.map(String.init) }
    }
}
