package import JSONDocument
package import KnotDomain
package import Recommendation

/// The result that is stored of a run, read only where it is that run's and of that vault.
package struct StoredResult: Sendable {
    package let run: String
    package let vault: VaultID
    /// `knot.choice/1`.
    package let document: JSONValue

    /// Throws where the text is no result, or one of another run or vault.
    package init(_ text: String, run: String, vault: VaultID) throws(ChoiceError) {
        self.run = run
        self.vault = vault
        do throws(JSONSyntaxError) {
            document = try JSONParser.parse(Array(text.utf8))
        } catch {
            throw .unreadable(run: run, [JSONProblem(path: "$", message: error.message)])
        }
        let reader = JSONReader(document)
        reader.expectSchema("knot.choice/1")
        Self.expect(run, at: "run_id", reader)
        Self.expect(vault.text, at: "vault_id", reader)
        if let outcome = reader.required("outcome")?.string(), !["complete", "degraded", "short"].contains(outcome) {
            reader.note("\"\(outcome.prefix(60))\" is no outcome of a set", at: "outcome")
        }
        for choice in reader.required("choices")?.items() ?? [] {
            _ = choice.required("position")?.int(in: 1...3)
            _ = choice.required("candidate_id")?.string()
            _ = choice.required("title")?.string()
        }
        if !reader.problems.list.isEmpty { throw .unreadable(run: run, reader.problems.list) }
    }

    private static func expect(_ id: String, at name: String, _ reader: JSONReader) {
        guard let text = reader.required(name)?.string() else { return }
        // Ids are written in either case.
        if text.lowercased() != id.lowercased() { reader.note("\"\(text.prefix(60))\" is not the row's own", at: name) }
    }

    package var outcome: String { document["outcome"]?.string ?? "" }

    /// What made the set: its occasion, its moment and its re-roll.
    package struct Asked: Sendable {
        package let occasion: OccasionChoice
        package let tier: OccasionTier
        package let asOf: Instant
        package let refresh: RefreshRequest?
    }

    package func asked() throws(ChoiceError) -> Asked {
        let reader = JSONReader(document)
        let tier = reader.required("occasion")?.choice(OccasionTier.self)
        let asOf = reader.required("as_of")?.instant()
        let refresh = reader.optional("refresh").flatMap { RefreshDocument.read($0) }
        guard let tier, let asOf else { throw .unreadable(run: run, reader.problems.list) }
        let milestone = document["milestone_id"]?.string.map { OccasionChoice.milestone(MilestoneID($0)) }
        return Asked(occasion: milestone ?? .tier(tier), tier: tier, asOf: asOf, refresh: refresh)
    }
}

extension ChoiceAnswer {
    /// A stored set as it was first printed, with a note where it is an earlier one.
    ///
    /// A set has one re-roll, which is for the same choices turned down for the same reasons.
    init(_ set: StoredAnswer, for refresh: RefreshRequest? = nil) throws(ChoiceError) {
        let result = try StoredResult(set.text, run: set.run, vault: set.vault).document
        self.init(document: result)
        guard !set.isNew else { return }
        if let refresh, let first = JSONReader(result).optional("refresh").flatMap(RefreshDocument.read),
            !first.rejectsTheSame(as: refresh)
        {
            throw .refreshKnown(first, run: set.run)
        }
        let pipeline = set.otherPipeline.isEmpty ? "" : ", made with \(set.otherPipeline)"
        notes = ["this request was answered before; the first set is shown\(pipeline)"]
    }
}
