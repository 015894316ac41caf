import Digest
package import JSONDocument

/// A file of JSON lines that shows when it was cut short or changed: a header with its schema, a line for each entry, and
/// a last line with their number and the digest of all before it.
package struct SealedLines: Sendable, Equatable {
    /// What such a file holds, as its schema, its last line and its errors name it.
    package struct Kind: Sendable, Equatable {
        /// The name and version, as `knot.cassette/1`.
        package let schema: String
        /// What the last line counts.
        package let entries: String
        /// A whole file and one of its lines, in a sentence.
        package let file: String
        package let entry: String

        package init(schema: String, entries: String, file: String, entry: String) {
            self.schema = schema
            self.entries = entries
            self.file = file
            self.entry = entry
        }

        fileprivate var name: Substring { schema.prefix { $0 != "/" } }
    }

    /// The first line without its schema.
    package let header: JSONValue
    package let entries: [JSONValue]

    package init(_ header: JSONValue, _ entries: [JSONValue]) {
        self.header = header
        self.entries = entries
    }
}

/// Why sealed lines cannot be used.
package struct SealedLinesError: Error, Sendable, Equatable, CustomStringConvertible {
    package enum Code: String, Sendable {
        /// The end of the file is missing.
        case torn
        /// The bytes are not those that were written.
        case corrupt
        /// It is something else, or of another version.
        case foreign
    }

    package let code: Code
    /// Counted from 1.
    package let line: Int
    package let message: String

    package init(_ code: Code, line: Int, _ message: String) {
        self.code = code
        self.line = line
        self.message = message
    }

    package var description: String { "line \(line): \(message)" }
}

extension SealedLines {
    package func bytes(_ kind: Kind) -> [UInt8] {
        var output: [UInt8] = []
        func append(_ value: JSONValue) {
            output += JSONWriter.bytes(value, style: .compact)
            output.append(0x0A)
        }
        let known = header.object?.members ?? []
        append(.object(JSONObject([.init(name: "schema", value: .string(kind.schema))] + known)))
        for entry in entries { append(entry) }
        let digest = SHA256Digest(of: output).hex
        append([kind.entries: .integer(entries.count), "sha256": .string(digest)])
        return output
    }

    /// Reads what `bytes` wrote; a file that was cut short or changed is refused with the line that shows it.
    package init(_ bytes: [UInt8], _ kind: Kind) throws(SealedLinesError) {
        let lines = bytes.split(separator: 0x0A, omittingEmptySubsequences: false)
        guard let first = lines.first, !first.isEmpty else {
            throw SealedLinesError(.foreign, line: 1, "the file is empty")
        }
        let header = try Self.parse(first, line: 1, isLast: lines.count == 1)
        guard let schema = header["schema"]?.string, schema.hasPrefix("\(kind.name)/") else {
            throw SealedLinesError(.foreign, line: 1, "this is no \(kind.file)")
        }
        guard schema == kind.schema, let object = header.object else {
            throw SealedLinesError(.foreign, line: 1, "this \(kind.file) is of another version than \(kind.schema)")
        }
        // The last line ends like the others, so that nothing follows it.
        let last = lines.count - 1
        guard lines.count >= 3, lines[last].isEmpty else {
            throw SealedLinesError(.torn, line: lines.count, "it ends before its last line: it was cut short")
        }
        let seal = try Self.parse(lines[last - 1], line: last, isLast: true)
        guard let digest = seal["sha256"]?.string, let count = seal[kind.entries]?.int else {
            throw SealedLinesError(.torn, line: last, "the line with the digest is missing: it was cut short")
        }
        guard SHA256Digest(of: Array(bytes[..<lines[last - 1].startIndex])).hex == digest else {
            throw SealedLinesError(.corrupt, line: last, "the digest does not fit: it was changed")
        }
        var entries: [JSONValue] = []
        for place in 1..<(last - 1) { entries.append(try Self.parse(lines[place], line: place + 1, isLast: false)) }
        guard entries.count == count else {
            throw SealedLinesError(.corrupt, line: last, "the number of its lines does not fit")
        }
        self.init(.object(JSONObject(object.members.filter { $0.name != "schema" })), entries)
    }

    /// What each entry says, as its reader reads it; the first that it cannot read is named by its line.
    package func read<Entry>(
        _ kind: Kind,
        _ read: (JSONValue) -> Entry?
    ) throws(SealedLinesError) -> [Entry] {
        var found: [Entry] = []
        found.reserveCapacity(entries.count)
        for (place, value) in entries.enumerated() {
            guard let entry = read(value) else {
                throw SealedLinesError(.corrupt, line: place + 2, "this line is no \(kind.entry)")
            }
            found.append(entry)
        }
        return found
    }

    private static func parse(
        _ line: ArraySlice<UInt8>,
        line number: Int,
        isLast: Bool
    ) throws(SealedLinesError) -> JSONValue {
        do throws(JSONSyntaxError) {
            return try JSONParser.parse(Array(line))
        } catch {
            throw SealedLinesError(
                isLast ? .torn : .corrupt,
                line: number,
                "column \(error.column): \(error.message)"
            )
        }
    }
}
