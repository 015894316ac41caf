import CHintTables
import TextEncoding

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

    /// What harms whom it harms.
    static let harms = TableText(
        // Proof: as above.
        unsafe Array(UnsafeBufferPointer(start: knot_harms(), count: knot_harms_size()))
    )

    /// What pages say of their items.
    package static let pages = TableText(
        // Proof: as above.
        unsafe Array(UnsafeBufferPointer(start: knot_pages(), count: knot_pages_size()))
    )

    private static let lineEnd = UInt8(ascii: "\n")

    private let bytes: [UInt8]
    /// Where the lines of each section stand.
    private let sections: [String: Range<Int>]

    /// Only the names of the sections are read here: of most tables a process asks for few.
    package init(_ bytes: [UInt8]) {
        var sections: [String: Range<Int>] = [:]
        var section: (name: String, start: Int)?
        func close(at end: Int) {
            guard let section else { return }
            precondition(sections[section.name] == nil, "the tables have two sections [\(section.name)]")
            sections[section.name] = section.start..<end
        }
        var place = 0
        while place < bytes.count {
            let end = Self.end(ofLineAt: place, in: bytes)
            if bytes[place] == UInt8(ascii: "[") {
                close(at: place)
                section = (String(decoding: bytes[(place + 1)..<(end - 1)], as: UTF8.self), end)
            }
            place = end + 1
        }
        close(at: bytes.count)
        self.bytes = bytes
        self.sections = sections
    }

    private static func end(ofLineAt start: Int, in bytes: [UInt8]) -> Int {
        var end = start
        while end < bytes.count, bytes[end] != lineEnd { end += 1 }
        return end
    }

    package var names: [String] { sections.keys.sorted() }

    /// The lines of a section's entries in their order.
    package func lines(_ section: String) -> [ArraySlice<UInt8>] {
        guard let range = sections[section] else { preconditionFailure("the tables have no section [\(section)]") }
        var lines: [ArraySlice<UInt8>] = []
        var place = range.lowerBound
        while place < range.upperBound {
            let end = Self.end(ofLineAt: place, in: bytes)
            switch bytes[place] {
            case Self.lineEnd, UInt8(ascii: "#"), UInt8(ascii: " "): break
            default: lines.append(bytes[place..<end])
            }
            place = end + 1
        }
        return lines
    }

    /// The entries of a section in their order.
    package func entries(_ section: String) -> [Entry] {
        lines(section).map { Entry(text: String(decoding: $0, as: UTF8.self), end: $0.endIndex) }
    }

    /// The phrases of a section in their order, whose lines are lists with commas.
    package func phrases(_ section: String) -> [String] {
        lines(section).flatMap { line in
            Self.words(of: line, by: UInt8(ascii: ",")).map { phrase in
                String(decoding: phrase.drop { $0 == UInt8(ascii: " ") }, as: UTF8.self)
            }
        }
    }

    /// All words of a section in their order.
    package func words(_ section: String) -> [String] {
        lines(section).flatMap { line in Self.words(of: line).map { String(decoding: $0, as: UTF8.self) } }
    }

    /// The fingerprints of all words of a section in their order.
    package func fingerprints(_ section: String) -> [UInt64] {
        lines(section).flatMap { line in Self.words(of: line).map { Fingerprint.of($0) } }
    }

    /// The sentences below an entry.
    package func sentences(of entry: Entry) -> [String] {
        bytes[entry.end...].split(separator: Self.lineEnd).prefix { $0.first == UInt8(ascii: " ") }
            .map { String(decoding: $0.drop { $0 == UInt8(ascii: " ") }, as: UTF8.self) }
    }

    /// The words of a table in their order.
    package static func list(_ words: String, by separator: Unicode.Scalar = " ") -> [String] {
        Self.words(of: Array(words.utf8)[...], by: UInt8(ascii: separator)).map { String(decoding: $0, as: UTF8.self) }
    }

    /// The words of a line of a table as bytes: the tables are read at the start of every process.
    package static func words(of line: ArraySlice<UInt8>, by separator: UInt8 = 0x20) -> [ArraySlice<UInt8>] {
        var words: [ArraySlice<UInt8>] = []
        var start = line.startIndex
        for place in line.startIndex...line.endIndex {
            guard place == line.endIndex || line[place] == separator || line[place] == lineEnd else { continue }
            if place > start { words.append(line[start..<place]) }
            start = place + 1
        }
        return words
    }
}

/// Walks over the words of a line of a table without copying any.
package struct TableWords {
    private let separator: UInt8
    private var place: Int
    private let end: Int

    /// Of the bytes of a range; of all there are for nil.
    package init(by separator: UInt8 = 0x20, in range: Range<Int>? = nil) {
        self.separator = separator
        place = range?.lowerBound ?? 0
        end = range?.upperBound ?? .max
    }

    /// Where the next word stands.
    package mutating func next(in bytes: Span<UInt8>) -> Range<Int>? {
        let end = min(end, bytes.count)
        while place < end, bytes[place] == separator { place += 1 }
        guard place < end else { return nil }
        let start = place
        while place < end, bytes[place] != separator { place += 1 }
        return start..<place
    }
}
