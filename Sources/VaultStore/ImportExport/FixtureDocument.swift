import Catalogue
import Digest
import JSONDocument
package import KnotDomain

/// A fixture on its way into the database: checked by the domain's own rules, and kept as it was written.
package struct FixtureDocument: Sendable {
    let original: JSONValue
    let name: String
    package let vault: Vault
    let asOf: Instant?
    /// Each id once, with the value it was read from.
    let candidates: [(offer: CatalogueOffer, raw: JSONValue)]
    /// The file.
    let bytes: [UInt8]
    /// SHA-256 of the bytes that were read.
    package let digest: String
    /// Those of the files that lie beside it.
    private var beside: [SHA256Digest] = []
    /// What lies beside the file, if anything.
    private(set) var rates: JSONValue = .null
    private(set) var reading: VaultReading?

    /// Parses and checks a file's bytes and those of what lies beside it, and reports every problem at once.
    package init(parsing bytes: [UInt8], readings: [UInt8]? = nil, rates: [UInt8]? = nil) throws(VaultStoreError) {
        let beside = [readings, rates].compactMap { $0.map { SHA256Digest(of: $0) } }
        var document = try FixtureDocument(try Self.value(bytes), bytes, digest: Self.digest(of: bytes, beside))
        document.beside = beside
        if let rates {
            document.rates = try Self.value(rates)
            let reader = JSONReader(document.rates)
            guard Rates(reading: reader, source: "rates") != nil else { throw Self.invalid("the rates", reader) }
        }
        if let readings {
            let reader = JSONReader(try Self.value(readings))
            guard let reading = VaultReading(reading: reader, knownHints: Set(document.vault.hints.map(\.id))) else {
                throw Self.invalid("the readings", reader)
            }
            document.reading = reading
        }
        self = document
    }

    private static func digest(of bytes: [UInt8], _ beside: [SHA256Digest]) -> String {
        let digest = SHA256Digest(of: bytes)
        return beside.isEmpty ? digest.hex : SHA256Digest(of: ([digest] + beside).flatMap(\.bytes)).hex
    }

    /// Whether a file that was imported with this digest says the same, beside the same files: white space and the order of
    /// members say nothing.
    func isSame(as bytes: [UInt8], digest: String) -> Bool {
        // What was imported is JSON; were it none, it would say something else.
        guard Self.digest(of: bytes, beside) == digest, let other = try? JSONParser.parse(bytes) else { return false }
        return JSONWriter.bytes(other, style: .canonical) == JSONWriter.bytes(original, style: .canonical)
    }

    private static func value(_ bytes: [UInt8]) throws(VaultStoreError) -> JSONValue {
        do throws(JSONSyntaxError) {
            return try JSONParser.parse(bytes)
        } catch {
            let place = "line \(error.line), column \(error.column)"
            throw VaultStoreError(
                .invalid,
                "it is not JSON",
                problems: [JSONProblem(path: place, message: error.message)]
            )
        }
    }

    private static func invalid(_ what: String, _ reader: JSONReader) -> VaultStoreError {
        VaultStoreError(.invalid, "\(what) beside it cannot be used", problems: reader.problems.list)
    }

    /// The tier that the fixture asks for, which its readings are for.
    var tier: OccasionTier {
        if let id = original["request"]?["milestone_id"]?.string {
            return vault.milestones.first { $0.id.text == id }?.tier ?? .justBecause
        }
        return original["request"]?["occasion"]?.string.flatMap(OccasionTier.init(rawValue:)) ?? .justBecause
    }

    private init(_ original: JSONValue, _ bytes: [UInt8], digest: String) throws(VaultStoreError) {
        let filled = Self.proposingTiers(original)
        let reader = JSONReader(filled)
        reader.expectSchema("knot.fixture/1")
        let name = reader.required("name")?.text(limit: TextLimit.name)
        _ = reader.optional("story")?.string()
        asOf = reader.optional("as_of")?.instant()
        let vault = reader.required("vault").flatMap { Vault(reading: $0) }
        if let vault, let reader = reader.optional("vault") { VaultLimits.check(vault, reader) }
        if let request = reader.optional("request") { Self.check(request: request, vault) }
        var seen: Set<CandidateID> = []
        var kept: [(CatalogueOffer, JSONValue)] = []
        for item in reader.optional("candidates")?.items() ?? [] {
            guard let offer = CatalogueOffer(reading: item), seen.insert(offer.candidate.id).inserted else { continue }
            kept.append((offer, item.value))
        }
        for item in reader.optional("judgments")?.items() ?? [] {
            _ = item.required("candidate_id")?.string()
            _ = item.required("grade")?.int(in: 0...3)
        }
        let problems = reader.problems.list
        guard let name, let vault, problems.isEmpty else {
            let count = "\(problems.count) problem\(problems.count == 1 ? "" : "s")"
            throw VaultStoreError(.invalid, "it has \(count)", problems: problems)
        }
        self.original = original
        self.name = String(name.unicodeScalars.prefix(200))
        self.vault = vault
        candidates = kept
        self.bytes = bytes
        self.digest = digest
    }

    /// A milestone without a tier is given the one that its kind and name propose, if any.
    private static func proposingTiers(_ document: JSONValue) -> JSONValue {
        guard var root = document.object, var vault = root["vault"]?.object else { return document }
        vault["milestones"] = vault["milestones"].map(proposingTiers(milestones:))
        root["vault"] = .object(vault)
        return .object(root)
    }

    static func proposingTiers(milestones: JSONValue) -> JSONValue {
        guard let items = milestones.array else { return milestones }
        return .array(
            items.map { item in
                guard var milestone = item.object, (milestone["budget_tier"] ?? .null).isNull,
                    let kind = milestone["type"]?.string.flatMap(Milestone.Kind.init(rawValue:)),
                    let tier = OccasionTier.proposed(for: kind, name: milestone["name"]?.string ?? "")
                else { return item }
                milestone["budget_tier"] = .string(tier.rawValue)
                return .object(milestone)
            }
        )
    }

    private static func check(request: JSONReader, _ vault: Vault?) {
        if let milestone = request.optional("milestone_id") {
            if request.optional("occasion") != nil { request.note("has both a milestone_id and an occasion") }
            guard let text = milestone.string(), let vault else { return }
            if !vault.milestones.contains(where: { $0.id.text == text }) {
                milestone.note("\"\(text.prefix(60))\" is not a milestone of this vault")
            }
        } else {
            _ = request.required("occasion")?.choice(OccasionTier.self)
        }
    }
}

/// What the database's columns cannot hold of a vault that is fine otherwise, said with its place.
enum VaultLimits {
    private static let greatest = Int(Int32.max)
    /// The most milestones of a new or edited vault; an import may have more, so that any export can be imported.
    static let milestones = 256

    static func check(_ vault: Vault, _ reader: JSONReader) {
        let budgets = reader.optional("budgets")
        for tier in OccasionTier.allCases {
            guard let budget = vault.budgets[tier], let item = budgets?.optional(tier.rawValue) else { continue }
            check(budget.minimum, item, "min_cents")
            check(budget.maximum, item, "max_cents")
        }
        for (item, place) in zip(vault.history, reader.optional("history")?.items() ?? []) {
            if let price = item.priceCents { check(price, place, "price_cents") }
        }
    }

    private static func check(_ amount: Int, _ reader: JSONReader, _ name: String) {
        if amount > greatest { reader.note("\(amount) is more than the database holds (\(greatest))", at: name) }
    }
}
