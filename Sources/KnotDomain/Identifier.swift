package import JSONDocument

/// A name of one thing, typed by what it names so that two kinds cannot be mixed up.
///
/// Names are told apart by their bytes, as every file and table does: é as one character and as two are equal texts in
/// Swift, and the ids of two things.
package struct Identifier<Subject>: Hashable, Sendable, Comparable, CustomStringConvertible {
    package let text: String

    package init(_ text: String) {
        self.text = text
    }

    package static func == (left: Self, right: Self) -> Bool {
        left.text == right.text && left.text.utf8.elementsEqual(right.text.utf8)
    }

    // Equal bytes are equal texts, whose hash is the same.
    package func hash(into hasher: inout Hasher) { hasher.combine(text) }

    package static func < (left: Self, right: Self) -> Bool {
        guard left.text == right.text else { return left.text < right.text }
        return left.text.utf8.lexicographicallyPrecedes(right.text.utf8)
    }

    package var description: String { text }
}

package typealias VaultID = Identifier<Vault>
package typealias UserID = Identifier<User>
package typealias HintID = Identifier<Hint>
package typealias MilestoneID = Identifier<Milestone>
package typealias CandidateID = Identifier<Candidate>

/// The person who keeps a vault; only their id is ever known here.
package enum User {}

extension JSONReader {
    /// Notes a problem unless this object's `schema` is that one.
    package func expectSchema(_ schema: String) {
        guard let reader = required("schema"), let found = reader.string() else { return }
        if found != schema { reader.note("expected \"\(schema)\", found \"\(found.prefix(60))\"") }
    }

    /// This value as a cleaned text that is not blank, or nil with a problem noted.
    package func text(limit: Int) -> String? {
        guard let raw = string() else { return nil }
        let clean = BoundaryText.clean(raw, limit: limit)
        guard !clean.isEmpty else {
            note("must not be blank")
            return nil
        }
        return clean
    }

    /// This value as a cleaned text, or nil when it is blank; only what is no text is a problem.
    package func optionalText(limit: Int) -> String? {
        guard let raw = string() else { return nil }
        let clean = BoundaryText.clean(raw, limit: limit)
        return clean.isEmpty ? nil : clean
    }

    /// This list's texts, cleaned and not blank; every bad one is noted, and a list of more than `TextLimit.listItems`.
    package func texts(limit: Int) -> [String] { boundedItems().compactMap { $0.text(limit: limit) } }

    /// This list's phrases, cleaned and not blank; one that is too long is noted and not cut, and so is such a list.
    package func phrases() -> [String] { boundedItems().compactMap { $0.wholeText(limit: TextLimit.phrase) } }

    /// This value as a cleaned text that is not blank, or nil with a problem noted; one that is too long is refused and not
    /// cut.
    func wholeText(limit: Int) -> String? {
        // As much again for what cleaning drops.
        guard let text = text(limit: 2 * limit) else { return nil }
        guard text.utf8.count <= limit else {
            note("is longer than \(limit) bytes")
            return nil
        }
        return text
    }

    private func boundedItems() -> [JSONReader] {
        let items = items()
        guard items.count <= TextLimit.listItems else {
            note("has \(items.count) items; \(TextLimit.listItems) are the most")
            return []
        }
        return items
    }

    /// This value as a moment, or nil with a problem noted.
    package func instant() -> Instant? {
        guard let text = string() else { return nil }
        if let instant = Instant(iso8601: text) { return instant }
        note("expected a date and time such as 2026-03-01T17:00:00Z, found \"\(text.prefix(40))\"")
        return nil
    }

    /// This value as a day, or nil with a problem noted.
    package func civilDate() -> CivilDate? {
        guard let text = string() else { return nil }
        if let date = CivilDate(iso8601: text) { return date }
        note("expected a day of the calendar such as 2026-03-15, found \"\(text.prefix(40))\"")
        return nil
    }

    /// This value as a currency, or nil with a problem noted.
    package func currency() -> Currency? {
        guard let text = string() else { return nil }
        if let currency = Currency(text) { return currency }
        note("expected a currency's code of three letters, found \"\(text.prefix(40))\"")
        return nil
    }

    /// This value as minor units that are not negative and small enough to add and double, or nil with a problem noted.
    package func minorUnits() -> Int? { int(in: 0...1_000_000_000_000) }

    /// This value as an identifier of 8-4-4-4-12 hexadecimal digits, or nil with a problem noted.
    package func uuid<Subject>(_ subject: Subject.Type = Subject.self) -> Identifier<Subject>? {
        guard let text = string() else { return nil }
        guard Self.isUUID(text) else {
            note("expected a UUID, found \"\(text.prefix(40))\"")
            return nil
        }
        return Identifier(text)
    }

    private static func isUUID(_ text: String) -> Bool {
        guard text.utf8.count == 36 else { return false }
        var place = 0
        for byte in text.utf8 {
            let isRight =
                switch place {
                case 8, 13, 18, 23: byte == UInt8(ascii: "-")
                default:
                    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
                        || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte | 0x20)
                }
            if !isRight { return false }
            place += 1
        }
        return true
    }

    /// This value as an address of the web, or nil with a problem noted.
    package func webAddress() -> String? {
        guard let text = string() else { return nil }
        guard text.utf8.count <= TextLimit.url else {
            note("is longer than \(TextLimit.url) bytes")
            return nil
        }
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        // Most addresses have nothing but printable ASCII.
        let isPlain =
            text.utf8.allSatisfy { (0x21..<0x7F).contains($0) }
            || text.unicodeScalars.allSatisfy { scalar in
                scalar.value > 0x20 && !(0x7F..<0xA1).contains(scalar.value) && !scalar.properties.isWhitespace
                    && scalar.properties.generalCategory != .format
            }
        guard parts.count == 2, ["http", "https"].contains(parts[0].lowercased()), parts[1].hasPrefix("//"),
            let first = parts[1].dropFirst(2).first, !"/?#:@".contains(first), isPlain
        else {
            note("expected an address that begins with http:// or https://, found \"\(text.prefix(60))\"")
            return nil
        }
        return text
    }
}
