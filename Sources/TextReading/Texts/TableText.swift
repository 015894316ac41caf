import CHintTables

/// Reviewed words and turns of phrase, as `CHintTables` holds them: sections under names in square brackets.
///
/// In a section each line is an entry. Indented lines below an entry are sentences for the tests; a run passes over them, as
/// over empty lines and over comments behind `#`.
package struct TableText: Sendable {
    package struct Entry: Sendable {
        package let text: String
        /// Where its line ends among the bytes.
        fileprivate let end: Int
    }

    /// What single words and short turns give away in notes, phrases and listings.
    static let cues = TableText(
        // Proof: the table is constant data of the program, so many bytes long.
        unsafe Array(UnsafeBufferPointer(start: knot_cues(), count: knot_cues_size()))
    )

    private static let lineEnd = UInt8(ascii: "\n")

    private let bytes: [UInt8]
    private let sections: [String: [Entry]]

    package init(_ bytes: [UInt8]) {
        var sections: [String: [Entry]] = [:]
        var section = ""
        for line in bytes.split(separator: Self.lineEnd) {
            switch line[line.startIndex] {
            case UInt8(ascii: "#"), UInt8(ascii: " "): continue
            case UInt8(ascii: "["): section = String(decoding: line.dropFirst().dropLast(), as: UTF8.self)
            default:
                let entry = Entry(text: String(decoding: line, as: UTF8.self), end: line.endIndex)
                sections[section, default: []].append(entry)
            }
        }
        self.bytes = bytes
        self.sections = sections
    }

    package var names: [String] { sections.keys.sorted() }

    /// The entries of a section in their order.
    package func entries(_ section: String) -> [Entry] {
        guard let entries = sections[section] else { preconditionFailure("the tables have no section [\(section)]") }
        return entries
    }

    /// All words of a section in their order.
    package func words(_ section: String) -> [String] { entries(section).flatMap { Self.list($0.text) } }

    /// The sentences below an entry.
    package func sentences(of entry: Entry) -> [String] {
        bytes[entry.end...].split(separator: Self.lineEnd).prefix { $0.first == UInt8(ascii: " ") }
            .map { String(decoding: $0.drop { $0 == UInt8(ascii: " ") }, as: UTF8.self) }
    }

    /// The words of a table in their order.
    ///
    /// They are cut by bytes, since the tables are read at the start of every process.
    package static func list(_ words: String, by separator: Unicode.Scalar = " ") -> [String] {
        let separator = UInt8(ascii: separator)
        return words.utf8.split { $0 == separator || $0 == UInt8(ascii: "\n") }.map { String(Substring($0)) }
    }
}
