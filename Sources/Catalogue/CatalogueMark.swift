/// Where a copy of everybody's items stands: of which database and model it is, and what was to be seen when it was read.
package struct CatalogueMark: Sendable {
    package let database: String
    package let model: String?
    /// As `pg_current_snapshot()` writes it.
    package let snapshot: String
    /// Whether what is to be seen there may be less than elsewhere, as on a standby.
    package var mayLag = false

    package init(database: String, model: String?, snapshot: String) {
        self.database = database
        self.model = model
        self.snapshot = snapshot
    }

    /// Nil for what is no mark of this form.
    package init?(_ text: String) {
        let parts = text.split(separator: " ", maxSplits: 3, omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 4, parts[0] == Self.form, Self.isSnapshot(parts[2]) else { return nil }
        self.init(database: parts[1], model: parts[3].isEmpty ? nil : parts[3], snapshot: parts[2])
    }

    package var text: String { "\(Self.form) \(database) \(snapshot) \(model ?? "")" }

    /// Whether transactions count as over here that another place of the same history has still to begin.
    package func isAhead(of other: CatalogueMark) -> Bool {
        guard let own = Self.next(snapshot), let others = Self.next(other.snapshot) else { return false }
        return own > others
    }

    private static func next(_ snapshot: String) -> UInt64? {
        let parts = snapshot.split(separator: ":", omittingEmptySubsequences: false)
        return parts.count == 3 ? UInt64(parts[1]) : nil
    }

    /// Another one than that of copies which held what cannot be had.
    private static let form = "knot.mark/2"

    /// Lowest, next and, in between, those under way: what the server takes for a snapshot.
    private static func isSnapshot(_ text: String) -> Bool {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 3, let first = UInt64(parts[0]), let next = UInt64(parts[1]), first > 0, first <= next
        else { return false }
        let between = parts[2].split(separator: ",", omittingEmptySubsequences: false).map { UInt64($0) }
        guard parts[2] != "" else { return true }
        let known = between.compactMap(\.self)
        return known.count == between.count && known == known.sorted() && Set(known).count == known.count
            && known.allSatisfy { $0 >= first && $0 < next }
    }
}
