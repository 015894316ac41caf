import EmbeddedFiles

/// One thing in a server's catalogue that a schema is made of, in the same words on every server.
struct CatalogueEntry: Sendable, Hashable {
    /// In the order in which missing ones are made.
    enum Kind: String, CaseIterable, Sendable {
        case table
        case column
        case key
        case check
        case foreignKey = "foreign_key"
        case index
        case function
        /// Whose a table is, or with whose rights a function runs; another owner takes over what the last one was granted.
        case owner
        /// Who of everybody may call a function that runs as its owner.
        case calling
        case trigger
        case policy
        /// Whether rows are guarded by policies.
        case rowSecurity = "row_security"
        case rights

        /// True where an object has one such thing, which may be another; else it has several, told apart by what they say.
        var isSingle: Bool {
            switch self {
            case .table, .column, .function, .calling, .owner, .rowSecurity, .rights: true
            case .key, .check, .foreignKey, .index, .trigger, .policy: false
            }
        }
    }

    let kind: Kind
    /// `public.hints`, `public.hints.source`, `public.hints for anon`, or a function with its arguments.
    let object: String
    /// Nothing depends on it: two servers may call the same constraint differently.
    let name: String
    let definition: String

    /// The table it belongs to, as statements name it.
    private var table: String {
        kind == .column
            ? String(object.prefix { $0 != " " }.split(separator: ".").dropLast().joined(separator: ".")) : object
    }

    /// Makes it where there is nothing of the kind, or nothing that says this.
    var making: String {
        switch kind {
        case .table: "create table \(object) ()"
        case .column: "alter table \(table) add column \(name) \(definition)"
        case .key, .check, .foreignKey: "alter table \(object) add constraint \(name) \(definition)"
        case .index, .trigger: named(definition)
        case .policy: "create policy \(name) on \(object) \(definition)"
        case .function: definition
        case .calling, .owner, .rowSecurity, .rights: setting
        }
    }

    /// An index or a trigger with its name; when a trigger does not fire as usual is said by another statement.
    private func named(_ definition: String) -> String {
        let firing = [" -- A": "enable always", " -- R": "enable replica", " -- D": "disable"]
        let mark = kind == .trigger ? String(definition.suffix(5)) : ""
        let change = firing[mark].map { "; alter table \(object) \($0) trigger \(name)" }
        return definition.dropLast(change == nil ? 0 : mark.count).replacing("?", with: name, maxReplacements: 1)
            + (change ?? "")
    }

    /// Makes of another one of the same object this one.
    func changing(_ other: CatalogueEntry) -> String {
        switch kind {
        case .column: columnChange(from: other)
        case .calling: calling(insteadOf: other.definition)
        // Nothing is there that would have to go.
        case .rights where other.definition.isEmpty: granting ?? setting
        default: setting
        }
    }

    /// Sets it, whatever was there.
    private var setting: String {
        switch kind {
        case .calling: calling(insteadOf: "")
        case .rowSecurity:
            "alter table \(object) \(definition.hasPrefix("on") ? "enable" : "disable") row level security; "
                + "alter table \(object) \(definition.hasSuffix("forced") ? "" : "no ")force row level security"
        case .owner: ownerChange
        case .rights: rightsChange
        default: making
        }
    }

    /// Takes it away; nil for what does no harm where it is not expected.
    var removal: String? {
        switch kind {
        case .key, .check, .foreignKey: "alter table \(object) drop constraint \(name)"
        case .policy: "drop policy \(name) on \(object)"
        case .trigger: "drop trigger \(name) on \(object)"
        case .index: definition.hasPrefix("CREATE UNIQUE") ? "drop index public.\(name)" : nil
        case .column:
            definition.contains(" not null") && !definition.contains(" default ") && !definition.contains(" generated ")
                ? "alter table \(table) alter column \(name) drop not null" : nil
        case .table, .function, .calling, .owner, .rowSecurity, .rights: nil
        }
    }

    /// Puts back what its removal takes away, under its own name or one that is free; nil where there is no removal.
    func restoring(besides known: [CatalogueEntry]) -> String? {
        guard removal != nil else { return nil }
        if kind == .column { return "alter table \(table) alter column \(name) set not null" }
        var name = name
        if known.contains(where: { $0.kind == kind && $0.name == name }) {
            name = name.hasSuffix("\"") ? name.dropLast() + "_kept\"" : name + "_kept"
        }
        // A table has one primary key, which is ours.
        let definition = kind == .key ? definition.replacing("PRIMARY KEY", with: "UNIQUE") : definition
        return CatalogueEntry(kind: kind, object: object, name: name, definition: definition).making
    }

    /// Makes it in place of another one of its name.
    var replacing: String {
        switch kind {
        case .key, .check, .foreignKey:
            "alter table \(object) drop constraint \(name), add constraint \(name) \(definition)"
        case .index: "drop index public.\(name); \(making)"
        default: (removal.map { "\($0); " } ?? "") + making
        }
    }

    /// Only what differs, since a column that a function reads keeps its type.
    private func columnChange(from other: CatalogueEntry) -> String {
        let (wanted, present) = (columnParts, other.columnParts)
        let column = "alter table \(table) alter column \(name)"
        var changes: [String] = []
        if wanted.type != present.type { changes.append("\(column) type \(wanted.type)") }
        if wanted.isRequired != present.isRequired {
            changes.append("\(column) \(wanted.isRequired ? "set" : "drop") not null")
        }
        if wanted.standard != present.standard {
            changes.append("\(column) " + (wanted.standard.map { "set default \($0)" } ?? "drop default"))
        }
        return changes.joined(separator: "; ")
    }

    private var columnParts: (type: String, isRequired: Bool, standard: String?) {
        let parts = definition.split(separator: " default ", maxSplits: 1).map(String.init)
        let head = parts.first ?? ""
        let isRequired = head.hasSuffix(" not null")
        return (
            isRequired ? String(head.dropLast(" not null".count)) : head, isRequired, parts.count > 1 ? parts[1] : nil
        )
    }

    /// A function that is looked at for its callers runs as its owner, which one that is not there may have lost.
    private func calling(insteadOf others: String) -> String {
        let wanted = definition.split(separator: ", ")
        let extra = others.split(separator: ", ").filter {
            !wanted.contains($0) && !Self.everybody.contains(String($0))
        }
        let from = (Self.everybody + extra.map(String.init)).joined(separator: ", ")
        return "alter function \(object) security definer; revoke execute on function \(object) from \(from)"
            + (definition.isEmpty ? "" : "; grant execute on function \(object) to \(definition)")
    }

    /// The role that the queue's functions run as.
    static let queueRole = "knot_queue"

    /// Only who may make things in a schema can become the owner of one there.
    private var ownerChange: String {
        guard object.hasSuffix(")") else { return "alter table \(object) owner to \(definition)" }
        // One that runs as its caller has no owner that matters, and is not found.
        let change = "alter function \(object) security definer; alter function \(object) owner to \(definition)"
        guard definition == Self.queueRole, let schema = object.split(separator: ".").first else { return change }
        return "grant create on schema \(schema) to \(definition); \(change); "
            + "revoke create on schema \(schema) from \(definition)"
    }

    private static let everybody = ["public", "anon", "authenticated"]

    private var rightsChange: String {
        guard let (thing, role) = thingAndRole else { return "" }
        let taking = "revoke all on \(thing) from \(role)"
        return granting.map { "\(taking); \($0)" } ?? taking
    }

    private var granting: String? {
        guard !definition.isEmpty, let (thing, role) = thingAndRole else { return nil }
        return "grant \(definition) on \(thing) to \(role)"
    }
}

extension CatalogueEntry {
    /// As a row of `CatalogueLook`; nil for a row of another form.
    init?(_ row: [String?]) {
        guard row.count == 4, let kind = row[0].flatMap(Kind.init(rawValue:)), let object = row[1], let name = row[2],
            let definition = row[3]
        else { return nil }
        self.init(kind: kind, object: object, name: name, definition: definition)
    }
}

/// The statement that reads a server's catalogue: what stands in the schema public, in words that do not depend on the
/// server's version, on where pgvector lies, or on the names that were given to constraints.
enum CatalogueLook {
    /// A setting of the server, the database or the role may change how the catalogue writes a thing.
    ///
    /// `pg_dump` sets the same ones, for the same reason.
    static let settings = """
        set local timezone = 'UTC';
        set local datestyle = 'ISO, MDY';
        set local intervalstyle = 'postgres';
        set local extra_float_digits = 1;
        set local bytea_output = 'hex';
        set local quote_all_identifiers = off;
        set local standard_conforming_strings = on;
        set local array_nulls = on;
        """

    /// Names of public and of pgvector's schema are written without them.
    static let path = """
        select pg_catalog.set_config(
            'search_path',
            'public' || coalesce(
                (
                    select ', ' || pg_catalog.quote_ident(n.nspname)
                    from pg_catalog.pg_extension x join pg_catalog.pg_namespace n on n.oid = x.extnamespace
                    where x.extname = 'vector' and n.nspname <> 'public'
                ),
                ''
            ) || ', pg_temp',
            true
        )
        """

    /// Rows of kind, object, name and definition; the values are the tables, the functions and the roles that are looked at.
    static var statement: String { EmbeddedFile.text(named: "catalogue_look.sql") }
}
