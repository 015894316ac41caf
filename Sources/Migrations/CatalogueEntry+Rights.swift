extension CatalogueEntry {
    /// What rights are on, and whose they are: `public.hints for anon`.
    var thingAndRole: (thing: String, role: String)? {
        let parts = object.split(separator: " for ").map(String.init)
        return kind == .rights && parts.count == 2 ? (parts[0], parts[1]) : nil
    }

    /// Whether somebody may have more rights than migrations gave: a hosted server gives the roles of its applications
    /// rights on what was there before us, and policies keep them out.
    var mayBeMore: Bool {
        guard let (thing, role) = thingAndRole, ProductionSchema.roles.contains(role) else { return false }
        let shared = ["schema public", "knot.knot_migrations"]
        return shared.contains(thing) || ProductionSchema.tables.contains { thing == "public.\($0)" }
    }

    /// Whether rights hold all of others, be it that they hold whole tables where the others name columns.
    func includes(_ other: CatalogueEntry) -> Bool {
        let all = rights
        return other.rights.allSatisfy { word, columns in
            all.contains {
                $0.word == word && ($0.columns.isEmpty || !columns.isEmpty && $0.columns.isSuperset(of: columns))
            }
        }
    }

    /// Each right with its columns, none for all of them: `select (id, source), update`.
    private var rights: [(word: String, columns: Set<Substring>)] {
        definition.split(separator: ")").flatMap { part in
            let halves = part.split(separator: "(", maxSplits: 1)
            let words = (halves.first ?? "").split(separator: ",").map { $0.filter { $0 != " " } }.filter {
                !$0.isEmpty
            }
            let columns = halves.count == 2 ? Set(halves[1].split(separator: ", ")) : []
            // Only the last word before a parenthesis is about columns.
            return words.enumerated().map { ($1, $0 == words.count - 1 ? columns : []) }
        }
    }
}
