package import Fixtures
import JSONDocument
import KnotDomain
import VaultStore

/// A fixture as plain inserts, written independently of the program's own import.
package struct StoredFixture: Sendable {
    private let fixture: Fixture
    private let vault: Vault

    package init(_ fixture: Fixture) {
        self.fixture = fixture
        vault = fixture.vault
    }

    /// The person, the vault, its lists, its history, and what an import keeps beside it.
    package var sql: String { (person + lists + history + beside).joined(separator: ";\n") + ";\n" }

    /// The candidates as items of the catalogue, for this vault alone or for everybody.
    package func catalogue(forEverybody: Bool = false) -> String {
        fixture.candidates.map { candidate in
            let fact = fixture.facts[candidate.id]
            return Self.insert(
                "public.catalogue_items",
                [
                    ("vault_id", forEverybody ? "null" : Self.text(vault.id.text)),
                    ("source", Self.text(fixture.name)), ("candidate_id", Self.text(candidate.id.text)),
                    ("provider", Self.text(candidate.provider.rawValue)), ("type", Self.text(candidate.type.rawValue)),
                    ("title", Self.text(candidate.title)), ("description", Self.text(candidate.description)),
                    ("url", Self.text(candidate.url)), ("image_url", Self.text(candidate.imageURL)),
                    ("price_cents", Self.number(candidate.priceCents)),
                    ("currency", Self.text(candidate.currency.code)), ("merchant", Self.text(candidate.merchant)),
                    ("location_city", Self.text(candidate.location?.city)),
                    ("location_state", Self.text(candidate.location?.state)),
                    ("location_country", Self.text(candidate.location?.country)),
                    ("starts_at", Self.text(candidate.startsAt?.iso8601)),
                    ("rating", candidate.rating.map { "\($0)" } ?? "null"),
                    ("review_count", Self.number(candidate.reviewCount)),
                    ("ships_in_days", Self.number(candidate.shipsInDays)), ("tags", Self.texts(candidate.tags)),
                    ("availability", Self.text(fact?.check.rawValue ?? "available")),
                    ("checked_price_cents", Self.number(fact?.checkedPriceCents)),
                ]
            )
        }.joined(separator: ";\n") + ";\n"
    }

    // MARK: Parts

    private var person: [String] {
        [
            Self.insert("auth.users", [("id", Self.text(vault.userID.text))]),
            "update public.users set timezone = \(Self.text(vault.timeZone)) "
                + "where id = \(Self.text(vault.userID.text))",
            Self.insert(
                "public.partner_vaults",
                [
                    ("id", Self.text(vault.id.text)), ("user_id", Self.text(vault.userID.text)),
                    ("partner_name", Self.text(vault.partnerName)),
                    ("relationship_tenure_months", Self.number(vault.tenureMonths)),
                    ("cohabitation_status", Self.text(vault.cohabitation?.rawValue)),
                    ("location_city", Self.text(vault.location?.city)),
                    ("location_state", Self.text(vault.location?.state)),
                    ("location_country", Self.text(vault.location?.country)),
                ]
            ),
        ]
    }

    private var lists: [String] {
        let interests =
            vault.likes.map { ("like", $0) } + vault.dislikes.map { ("dislike", $0) }
        let languages = [(vault.loveLanguages.primary, 1), (vault.loveLanguages.secondary, 2)]
        return interests.map { kind, interest in
            ofVault(
                "partner_interests",
                [
                    ("interest_type", Self.text(kind)), ("interest_category", Self.text(interest.name)),
                ]
            )
        }
            + vault.vibes.map { ofVault("partner_vibes", [("vibe_tag", Self.text($0.rawValue))]) }
            + vault.budgets.map { tier, budget in
                ofVault(
                    "partner_budgets",
                    [
                        ("occasion_type", Self.text(tier.rawValue)), ("min_amount", "\(budget.minimum)"),
                        ("max_amount", "\(budget.maximum)"), ("currency", Self.text(budget.currency.code)),
                    ]
                )
            }
            + languages.map { language, priority in
                ofVault(
                    "partner_love_languages",
                    [
                        ("language", Self.text(language.rawValue)), ("priority", "\(priority)"),
                    ]
                )
            }
            + vault.milestones.map { milestone in
                ofVault(
                    "partner_milestones",
                    [
                        ("id", Self.text(milestone.id.text)), ("milestone_type", Self.text(milestone.kind.rawValue)),
                        ("milestone_name", Self.text(milestone.name)),
                        ("milestone_date", Self.text(milestone.date.description)),
                        ("recurrence", Self.text(milestone.recurrence.rawValue)),
                        ("budget_tier", Self.text(milestone.tier.rawValue)),
                    ]
                )
            }
            + vault.hints.map { hint in
                ofVault(
                    "hints",
                    [
                        ("id", Self.text(hint.id.text)), ("hint_text", Self.text(hint.text)),
                        ("source", Self.text(hint.source.rawValue)), ("created_at", Self.text(hint.createdAt.iso8601)),
                        ("is_used", "\(hint.isUsed)"),
                    ]
                )
            }
    }

    private var history: [String] {
        vault.history.enumerated().flatMap { place, item in
            let id = rowID(1, place)
            let row = ofVault(
                "recommendations",
                [
                    ("id", Self.text(id)), ("recommendation_type", Self.text(item.type.rawValue)),
                    ("title", Self.text(item.title)), ("merchant_name", Self.text(item.merchant)),
                    ("external_url", Self.text(item.url)), ("price_cents", Self.number(item.priceCents)),
                    ("created_at", Self.text(item.at.iso8601)),
                ]
            )
            let feedback = item.feedback.enumerated().map { number, feedback in
                Self.insert(
                    "public.recommendation_feedback",
                    [
                        ("id", Self.text(rowID(2 + number, place))), ("recommendation_id", Self.text(id)),
                        ("user_id", Self.text(vault.userID.text)), ("action", Self.text(feedback.action.rawValue)),
                        ("rating", Self.number(feedback.rating)), ("feedback_text", Self.text(feedback.reason)),
                    ]
                )
            }
            return [row] + feedback
        }
    }

    private var beside: [String] {
        let feedback = vault.history.enumerated().flatMap { place, item in
            item.feedback.indices.map { rowID(2 + $0, place) }
        }
        let layout = VaultLayout(orders: [
            .likes: vault.likes.map(\.name), .dislikes: vault.dislikes.map(\.name),
            .vibes: vault.vibes.map(\.rawValue), .milestones: vault.milestones.map(\.id.text),
            .hints: vault.hints.map(\.id.text), .history: vault.history.indices.map { rowID(1, $0) },
            .feedback: feedback,
        ])
        let request: JSONValue? =
            switch fixture.request {
            case .milestone(let id): ["milestone_id": .string(id.text)]
            case .occasion(let tier): ["occasion": .string(tier.rawValue)]
            case nil: nil
            }
        return [
            ofVault(
                "vault_imports",
                [
                    ("name", Self.text(fixture.name)), ("as_of", Self.text(fixture.asOf?.iso8601)),
                    ("request", Self.text(request.map { JSONWriter.text($0) })),
                    ("layout", Self.text(JSONWriter.text(layout.json))),
                    ("file_digest", Self.text(String(repeating: "0", count: 64))),
                ]
            )
        ]
    }

    /// An id that says which row of which vault it is.
    private func rowID(_ kind: Int, _ place: Int) -> String {
        let digits = String(place, radix: 16)
        let middle = String(repeating: "0", count: max(0, 4 - digits.count)) + digits
        return
            "\(vault.id.text.prefix(8))-\(middle)-400\(String(kind % 16, radix: 16))-8000-\(vault.id.text.suffix(12))"
    }

    // MARK: Writing SQL

    private func ofVault(_ table: String, _ values: [(String, String)]) -> String {
        Self.insert("public.\(table)", [("vault_id", Self.text(vault.id.text))] + values)
    }

    private static func insert(_ table: String, _ values: [(String, String)]) -> String {
        let columns = values.map(\.0).joined(separator: ", ")
        return "insert into \(table) (\(columns)) values (\(values.map(\.1).joined(separator: ", ")))"
    }

    private static func text(_ text: String?) -> String {
        text.map { "'" + $0.replacing("'", with: "''") + "'" } ?? "null"
    }

    private static func number(_ number: Int?) -> String { number.map(String.init) ?? "null" }

    private static func texts(_ texts: [String]) -> String {
        texts.isEmpty ? "'{}'" : "array[" + texts.map { text($0) }.joined(separator: ", ") + "]"
    }
}
