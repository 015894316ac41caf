import Digest
package import JSONDocument
package import KnotDomain

/// A vault that a person writes down: the fixture's fields, ids optional, checked as the product checks them.
package struct NewVault: Sendable {
    package let vault: Vault
    let original: JSONValue
    /// True where the document names no vault, so that its content does: stored again it is the same vault.
    let isNamedByContent: Bool

    private static let interestCount = 5

    /// Takes a vault object, or a whole fixture and of it the vault; ids that are missing are made.
    package init(reading document: JSONValue, user: UserID? = nil) throws(MovingError) {
        let isWhole = document["vault"]?.object != nil
        var members = (isWhole ? document["vault"] : document)?.object ?? JSONObject()
        isNamedByContent = Self.isMissing(members["id"])
        if let user { members["user_id"] = .string(user.text) }
        let content = JSONValue.object(members)
        for (name, kind) in [("id", "vault"), ("user_id", "user")] where Self.isMissing(members[name]) {
            members[name] = .string(PostgresUUID(naming: [.string(kind), content]).description)
        }
        if let milestones = members["milestones"] {
            members["milestones"] = FixtureDocument.proposingTiers(milestones: Self.withIDs(milestones))
        }
        if let hints = members["hints"] { members["hints"] = Self.withIDs(hints) }
        let value = document.object == nil ? document : .object(members)
        let reader = JSONReader(value, path: isWhole ? "$.vault" : "$")
        let vault = Vault(reading: reader)
        if let vault {
            VaultLimits.check(vault, reader)
            Self.check(count: vault.likes.count, reader, "likes")
            Self.check(count: vault.dislikes.count, reader, "dislikes")
        }
        let problems = reader.problems.list
        guard let vault, problems.isEmpty else {
            let count = "\(problems.count) problem\(problems.count == 1 ? "" : "s")"
            throw MovingError(.invalid, "the vault has \(count)", problems: problems)
        }
        self.vault = vault
        original = value
    }

    private static func isMissing(_ value: JSONValue?) -> Bool {
        value?.isNull ?? true
    }

    private static func withIDs(_ list: JSONValue) -> JSONValue {
        guard let items = list.array else { return list }
        return .array(
            items.map { item in
                guard var object = item.object, isMissing(object["id"]) else { return item }
                object["id"] = .string(PostgresUUID.random().description)
                return .object(object)
            }
        )
    }

    private static func check(count: Int, _ reader: JSONReader, _ name: String) {
        if count != interestCount { reader.note("needs exactly \(interestCount), has \(count)", at: name) }
    }
}
