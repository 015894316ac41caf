package import JSONDocument
package import KnotDomain
package import TextEncoding

/// What a recording must say of its run besides the effects, so that it can be run again.
package struct RecordedRequest: Sendable {
    package let request: RunRequest
    /// What the set was to be stored under; nil for a fixture, which is known by all that it read.
    package let name: RunIdentity.Name?
    /// Who read the hints.
    package let reader: String
    package let rates: Rates
    /// SHA-256 of everything that was read from files.
    package let inputDigest: String
    /// The model of the embedder; nil when there were words only.
    package let embedder: String?
    /// What its cosines mean, where anybody knows.
    package let profile: CosineProfile?

    package init(
        request: RunRequest,
        name: RunIdentity.Name? = nil,
        reader: String,
        rates: Rates,
        inputDigest: String,
        embedder: String? = nil,
        profile: CosineProfile? = .reference
    ) {
        self.request = request
        self.name = name
        self.reader = reader
        self.rates = rates
        self.inputDigest = inputDigest
        self.embedder = embedder
        self.profile = profile
    }

    package var json: JSONValue {
        let occasion: JSONValue =
            switch request.occasion {
            case .milestone(let id): ["milestone_id": .string(id.text)]
            case .tier(let tier): ["occasion": .string(tier.rawValue)]
            }
        return [
            "schema": "knot.request/1", "vault_id": .string(request.vaultID.text), "request": occasion,
            "as_of": JSONValue(request.asOf?.iso8601), "refresh": RefreshDocument.json(request.refresh),
            "live": .bool(request.isLive), "reader": .string(reader), "rates": rates.json,
            "rates_source": .string(rates.source), "input_digest": .string(inputDigest),
            "embedder": JSONValue(embedder), "profile": profile?.json ?? .null,
            "cards": .integer(request.cards),
            "identity": name.map { ["kind": .string($0.kind.rawValue), "request": .string($0.request)] } ?? .null,
        ]
    }

    /// Nil, with every problem noted, when it is not what `json` writes.
    package init?(reading reader: JSONReader) {
        let before = reader.problems.list.count
        let occasion = reader.required("request")
        let choice: OccasionChoice?
        if let id = occasion?.optional("milestone_id")?.string() {
            choice = .milestone(MilestoneID(id))
        } else {
            choice = occasion?.required("occasion")?.choice(OccasionTier.self).map(OccasionChoice.tier)
        }
        let source = reader.required("rates_source")?.string() ?? ""
        let rates = reader.required("rates").flatMap { Rates(reading: $0, source: source) }
        let refresh = reader.optional("refresh").flatMap(RefreshDocument.read)
        let asOf = reader.optional("as_of").flatMap { $0.instant() }
        let named = reader.optional("identity").flatMap { identity -> RunIdentity.Name? in
            let request = identity.required("request")?.string()
            let kind = identity.required("kind")?.string().flatMap { RunIdentity.Kind(rawValue: $0) }
            return kind.flatMap { kind in request.map { RunIdentity.Name(kind: kind, request: $0) } }
        }
        guard let vault = reader.required("vault_id")?.string(), let name = reader.required("reader")?.string(),
            let digest = reader.required("input_digest")?.string(), let live = reader.required("live")?.bool(),
            let choice, let rates, reader.problems.list.count == before
        else { return nil }
        var request = RunRequest(vaultID: VaultID(vault), occasion: choice, asOf: asOf, refresh: refresh, isLive: live)
        let range = RunRequest.ofOneSet...RunRequest.mostCards
        request.cards = reader.optional("cards")?.int(in: range) ?? RunRequest.ofOneSet
        self.init(
            request: request,
            name: named,
            reader: name,
            rates: rates,
            inputDigest: digest,
            embedder: reader.optional("embedder")?.string(),
            // Before there were profiles there was the reference model alone.
            profile: reader.value["profile"].map { CosineProfile($0) } ?? .reference
        )
    }
}
