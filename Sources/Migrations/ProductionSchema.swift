import EmbeddedFiles
import JSONDocument

/// The schema that a database has, as a look at its catalogue shows it: that which production made, and the whole one.
struct ProductionSchema: Sendable {
    /// Those of the first twelve migrations.
    static let tables = [
        "users", "partner_vaults", "partner_interests", "partner_milestones", "partner_vibes", "partner_budgets",
        "partner_love_languages", "hints", "recommendations", "recommendation_feedback", "notification_queue",
    ]
    static let functions = ["handle_updated_at", "handle_new_user", "handle_milestone_budget_tier", "match_hints"]
    static let roles = ["anon", "authenticated"]

    /// Recorded from the migrations themselves: what is there after the first twelve, and what production has gained or
    /// dropped since, which may be there or not.
    static let recorded = ProductionSchema(json: EmbeddedFile.bytes(named: "production_catalogue.json"))

    /// What nobody names and all rely on, as all migrations leave it: triggers, rules, policies and rights.
    static let whole = ProductionSchema(json: EmbeddedFile.bytes(named: "whole_catalogue.json"))

    let entries: [(entry: CatalogueEntry, isRequired: Bool)]

    init(_ entries: [(entry: CatalogueEntry, isRequired: Bool)]) {
        self.entries = entries
    }

    /// A resource that is no such list has no entries, which a test would notice.
    private init(json bytes: [UInt8]) {
        do throws(JSONSyntaxError) {
            entries = (try JSONParser.parse(bytes).array ?? []).compactMap { item in
                CatalogueEntry(["kind", "object", "name", "definition"].map { item[$0]?.string })
                    .map { ($0, item["required"]?.bool ?? true) }
            }
        } catch {
            entries = []
        }
    }

    /// Whether a database without a history has any of the tables.
    static func isThere(_ found: [CatalogueEntry]) -> Bool { found.contains { $0.kind == .table } }

    /// What a database lacks or has otherwise; what it has besides is its owner's own.
    ///
    /// A function that belongs to the queue's role is mended by a member of it: whoever is none joins it for that.
    func losses(from found: [CatalogueEntry], actsForQueue: Bool = true) -> [SchemaDifference] {
        let known = Dictionary(entries.map { ($0.entry.sense, $0.entry) }) { first, _ in first }
        let places = Dictionary(entries.map { ($0.entry.place, $0.entry) }) { first, _ in first }
        let found = found.map { entry in
            guard entry.mayBeMore, let wanted = places[entry.place] else { return known[entry.sense] ?? entry }
            // What there is more stays.
            return entry.includes(wanted) ? wanted : entry.withoutRights
        }
        let ofQueue = entries.map(\.entry).filter { $0.kind == .owner && $0.definition == CatalogueEntry.queueRole }
        let objects = Set(actsForQueue ? [] : ofQueue.map(\.object))
        return differences(from: found).filter { $0.way != .unexpected }
            .map { objects.contains($0.object) ? $0.byMember : $0 }
    }

    /// Everything in which a database's catalogue is another, in the order in which it can be mended.
    func differences(from found: [CatalogueEntry]) -> [SchemaDifference] {
        var differences: [SchemaDifference] = []
        let expected = Set(entries.map(\.entry.key))
        let present = Set(found.map(\.key))
        let missing = entries.filter { $0.isRequired && !$0.entry.kind.isSingle && !present.contains($0.entry.key) }
        // What bears the name of what is missing gives way to it, in one statement: no fix leaves less than there was.
        let replaced = Set(missing.map(\.entry.title)).intersection(found.map(\.title))
        let made = (entries + Self.whole.entries).map(\.entry)
        for entry in found
        where !entry.kind.isSingle && !expected.contains(entry.key) && !replaced.contains(entry.title) {
            differences += SchemaDifference.unexpected(entry, besides: made)
        }
        let known = Dictionary(grouping: entries, by: \.entry.place)
        for entry in found where entry.kind.isSingle && known[entry.place] == nil {
            differences += SchemaDifference.unexpected(entry, besides: made)
        }
        let places = Dictionary(found.map { ($0.place, $0) }) { first, _ in first }
        for (entry, isRequired) in entries where !present.contains(entry.key) {
            if entry.kind.isSingle, let other = places[entry.place] {
                // Any of what is known of this object will do.
                let others = known[entry.place] ?? []
                if others.contains(where: { present.contains($0.entry.key) }) || others.first?.entry != entry {
                    continue
                }
                differences.append(SchemaDifference(.other, entry, entry.changing(other)))
            } else if isRequired, !entry.kind.isSingle, replaced.contains(entry.title) {
                let other = found.first { $0.title == entry.title && !expected.contains($0.key) }
                let putBack = other?.restoring(besides: made)
                differences.append(SchemaDifference(.other, entry, entry.replacing, putBack: putBack))
            } else if isRequired {
                differences.append(SchemaDifference(.missing, entry, entry.making))
            }
        }
        return differences
    }
}

/// One thing in which a database is not what it has to be, with the statement that mends it.
package struct SchemaDifference: Sendable, Hashable {
    package enum Way: String, Sendable {
        case missing
        case other = "different"
        case unexpected
    }

    package let way: Way
    /// Such as `policy of public.hints`.
    package let place: String
    package let statement: String
    /// Puts back what the statement takes away, once all is as it has to be: it may be somebody's own.
    package let putBack: String?
    fileprivate let object: String

    init(_ way: Way, _ entry: CatalogueEntry, _ statement: String, putBack: String? = nil) {
        self.way = way
        object = entry.object
        place = "\(entry.kind.rawValue.replacing("_", with: " ")) of \(entry.object)"
        self.statement = statement
        self.putBack = putBack
    }

    /// Returns an addition of somebody's own as a difference, if it may be in the way of what is written.
    fileprivate static func unexpected(_ entry: CatalogueEntry, besides known: [CatalogueEntry]) -> [SchemaDifference] {
        entry.removal.map { [SchemaDifference(.unexpected, entry, $0, putBack: entry.restoring(besides: known))] } ?? []
    }

    private init(_ difference: SchemaDifference, _ statement: String) {
        way = difference.way
        place = difference.place
        object = difference.object
        putBack = difference.putBack
        self.statement = statement
    }

    /// A copy for an owner who may only grant the queue's role.
    fileprivate var byMember: SchemaDifference {
        let role = CatalogueEntry.queueRole
        return SchemaDifference(
            self,
            "grant \(role) to current_user with inherit true, set true; \(statement); revoke \(role) from current_user"
        )
    }

    package var description: String {
        let keeping = putBack.map { "; if what it takes away is yours, put it back after migrate with: \($0)" }
        return "\(way.rawValue); mend it with: \(statement)" + (keeping ?? "")
    }
}

extension CatalogueEntry {
    /// What it is told by, whatever it is called.
    fileprivate var key: String { "\(kind.rawValue)\u{1F}\(object)\u{1F}\(definition)" }
    /// What there is one of, where there is one.
    fileprivate var place: String { "\(kind.rawValue)\u{1F}\(object)" }
    /// What it says: a dump leaves parentheses out, and rows from before a rule are another matter.
    fileprivate var sense: String { key.replacing(" NOT VALID", with: "").filter { $0 != "(" && $0 != ")" } }
    fileprivate var withoutRights: CatalogueEntry {
        CatalogueEntry(kind: kind, object: object, name: name, definition: "")
    }
    /// What it is called.
    fileprivate var title: String { "\(place)\u{1F}\(name)" }
}
