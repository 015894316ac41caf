import FileInput
package import JSONDocument
package import KnotDomain
import StageGraph

/// An offer of a file: a candidate, and what a look at its page would find.
package struct CatalogueOffer: Sendable, Hashable {
    package let candidate: Candidate
    /// One of `checks`.
    package let check: String
    package let checkedPriceCents: Int?

    package static let checks = ["available", "sold_out", "closed", "gone", blocked, "price_changed"]
    static let blocked = "blocked"

    /// Whether who looked at its page was turned away.
    package var isBlocked: Bool { check == Self.blocked }

    /// Reads a candidate of a fixture or of a file of candidates, and notes every problem in it.
    package init?(reading reader: JSONReader) {
        let before = reader.problems.list.count
        let candidate = Candidate(reading: reader)
        let check = reader.optional("check").flatMap { Self.check($0) }
        let price = reader.optional("checked_price_cents")?.minorUnits()
        guard let candidate, reader.problems.list.count == before else { return nil }
        self.candidate = candidate
        self.check = check ?? "available"
        checkedPriceCents = price
    }

    /// What can be had of it, for whoever does not look again: nil for what is gone, and at the price that was found.
    package var available: Candidate? {
        switch check {
        case "sold_out", "closed", "gone": return nil
        case "price_changed":
            var fields = candidate.json.object ?? JSONObject()
            fields["price_cents"] = JSONValue(checkedPriceCents)
            return Candidate(reading: JSONReader(.object(fields)))
        default: return candidate
        }
    }

    private static func check(_ reader: JSONReader) -> String? {
        guard let text = reader.string() else { return nil }
        if !checks.contains(text) {
            reader.note("\"\(text.prefix(60))\" is not one of \(checks.joined(separator: ", "))")
        }
        return text
    }
}

/// The offers of a file of any size, one after another: a JSON object a line, or a table of comma-separated values.
///
/// A table's first row names the fields; tags are separated by `|`, and an empty cell says nothing.
package final class CandidateLines {
    /// What stands in a line, or in the lines of one row.
    package struct Entry {
        /// Nil where there is a problem.
        package let offer: CatalogueOffer?
        /// Each with its line: `line 3: $.title`.
        package let problems: [JSONProblem]
        /// Where the offer's id stands.
        package let place: String
    }

    /// Of a line no more is read: an offer with texts of a megabyte is one, with escapes and all.
    package static let mostBytes = 8 << 20

    private let file: String
    private let lines: FileLines
    /// Read already, to see of which form the file is.
    private var first: FileLines.Line?
    /// Nil for lines of JSON.
    private var fields: [CandidateField]?

    /// Opens a file; throws where it cannot be read, and where a table's first row is none of field names.
    package init(path: String) throws(CatalogueFileError) {
        file = path
        do throws(FileFault) {
            lines = try FileLines(path, limit: Self.mostBytes)
        } catch {
            throw CatalogueFileError(error, file: path)
        }
        var line = try nextLine()
        while let blank = line, blank.bytes.allSatisfy(\.isBlank) { line = try nextLine() }
        guard let line else { return }
        // No name of a field has an end of line in it, so that lines of JSON lose nothing to a quote that stays open.
        let (header, isTable) = (TableRow(line.bytes), path.lowercased().hasSuffix(".csv"))
        guard line.bytes.first(where: { !$0.isBlank }) != UInt8(ascii: "{"),
            isTable || header.cells?.contains("title") == true
        else {
            first = line
            return
        }
        if let problem = header.problem {
            let place = JSONProblem(path: "line \(line.number)", message: problem)
            throw CatalogueFileError(.malformed, file: path, "has a problem", problems: [place])
        }
        fields = try CandidateField.named(header.cells ?? [], in: path)
    }

    /// The next offer or problem; nil at the end.
    package func next() throws(CatalogueFileError) -> Entry? {
        while let line = try nextLine() {
            if line.bytes.allSatisfy(\.isBlank) { continue }
            let place = "line \(line.number)"
            if line.isCut { return Self.broken(place, "is longer than \(Self.mostBytes >> 20) MiB") }
            guard let fields else { return Self.read(line.bytes, place) }
            let row = try row(from: line)
            if let problem = row.problem { return Self.broken(place, problem) }
            let cells = row.cells ?? []
            guard cells.count == fields.count else {
                return Self.broken(place, "has \(cells.count) cells, and the first row has \(fields.count)")
            }
            return Self.read(CandidateField.object(fields, cells), place)
        }
        return nil
    }

    private func nextLine() throws(CatalogueFileError) -> FileLines.Line? {
        if let line = first {
            first = nil
            return line
        }
        do throws(FileFault) {
            return try lines.next()
        } catch {
            throw CatalogueFileError(error, file: file)
        }
    }

    /// The row that begins with a line; one with a quoted cell may go over several.
    private func row(from line: FileLines.Line) throws(CatalogueFileError) -> TableRow {
        var row = TableRow(line.bytes)
        var size = line.bytes.count
        while row.isOpen, size <= Self.mostBytes, let more = try nextLine() {
            row.goOn(more.bytes)
            size += more.bytes.count
        }
        return row
    }

    private static func broken(_ place: String, _ message: String) -> Entry {
        Entry(offer: nil, problems: [JSONProblem(path: place, message: message)], place: place)
    }

    private static func read(_ bytes: [UInt8], _ place: String) -> Entry {
        do throws(JSONSyntaxError) {
            return read(try JSONParser.parse(bytes), place)
        } catch {
            return broken("\(place), column \(error.column)", error.message)
        }
    }

    private static func read(_ value: JSONValue, _ place: String) -> Entry {
        // Said once, and not for each field.
        guard value.object != nil else {
            return broken("\(place): $", "expected an object with the fields of an offer")
        }
        let reader = JSONReader(value, path: "\(place): $")
        let offer = CatalogueOffer(reading: reader)
        return Entry(offer: offer, problems: reader.problems.list, place: "\(place): $.id")
    }
}

/// A column of a table of candidates.
package enum CandidateField {
    case text(String)
    case integer(String)
    case number(String)
    case tags
    /// A part of the place.
    case place(String)

    /// By name, with the place's parts as a table's columns are called.
    private static let all: [String: CandidateField] = {
        var fields: [String: CandidateField] = ["tags": .tags, "rating": .number("rating")]
        for name in [
            "id", "provider", "type", "title", "description", "url", "image_url", "currency", "merchant", "starts_at",
            "check",
        ] { fields[name] = .text(name) }
        for name in ["price_cents", "review_count", "ships_in_days", "checked_price_cents"] {
            fields[name] = .integer(name)
        }
        for name in ["city", "state", "country"] {
            fields["location.\(name)"] = .place(name)
            fields["location_\(name)"] = .place(name)
        }
        return fields
    }()

    /// Without one of these columns no row is an offer.
    package static let needed = ["id", "provider", "type", "title", "url", "currency"]
    /// The other columns that a table may have.
    package static let optional = all.keys.filter { !needed.contains($0) && !$0.hasPrefix("location_") }.sorted()

    static func named(_ names: [String], in file: String) throws(CatalogueFileError) -> [CandidateField] {
        var problems: [JSONProblem] = []
        var fields: [CandidateField] = []
        for (place, name) in names.enumerated() {
            if let field = all[name], !names[..<place].contains(where: { plain($0) == plain(name) }) {
                fields.append(field)
            } else {
                let known = needed + optional
                let text =
                    "\"\(name.prefix(60))\" "
                    + (all[name] == nil
                        ? "is no field of an offer" + NearestName.hint(for: String(name.prefix(60)), among: known)
                        : "occurs twice")
                problems.append(JSONProblem(path: "line 1, cell \(place + 1)", message: text))
            }
        }
        let missing = needed.filter { !names.contains($0) }
        if !missing.isEmpty {
            let needed = missing.count == needed.count ? "" : "; needed are \(needed.joined(separator: ", "))"
            let what = "there is no column \(missing.joined(separator: ", "))\(needed)"
            problems.append(JSONProblem(path: "line 1", message: what))
        }
        guard problems.isEmpty else {
            let count = problems.count == 1 ? "a problem" : "\(problems.count) problems"
            throw CatalogueFileError(.malformed, file: file, "has \(count)", problems: problems)
        }
        return fields
    }

    /// A place's part has two names.
    private static func plain(_ name: String) -> String { name.replacing("location.", with: "location_") }

    /// A row as a line of JSON would have it; what is no number stays a text, which its reader then refuses.
    static func object(_ fields: [CandidateField], _ cells: [String]) -> JSONValue {
        var object = JSONObject()
        var place = JSONObject()
        for (field, cell) in zip(fields, cells) where !cell.isEmpty {
            switch field {
            case .text(let name): object[name] = .string(cell)
            case .integer(let name): object[name] = Int(cell).map { .integer($0) } ?? .string(cell)
            case .number(let name):
                let number = cell.utf8.allSatisfy { Self.digits.contains($0) } ? Double(cell) : nil
                object[name] = number.map { .number($0) } ?? .string(cell)
            case .tags:
                object["tags"] = JSONValue(cell.split(separator: "|").map(String.init))
            case .place(let name): place[name] = .string(cell)
            }
        }
        if !place.members.isEmpty { object["location"] = .object(place) }
        return .object(object)
    }

    /// What a decimal number is written with: "0x1p3" is one for programmers, and most likely something else here.
    private static let digits = Set("0123456789+-.eE".utf8)
}

/// One row of comma-separated values by RFC 4180, read line by line.
struct TableRow {
    private enum State {
        case start, plain, quoted, closed
        case broken(String)
    }

    private var found: [[UInt8]] = [[]]
    private var state = State.start

    init(_ line: [UInt8]) { read(line) }

    /// True where a quoted cell has not ended with the line.
    var isOpen: Bool { if case .quoted = state { true } else { false } }

    /// Why it is no row; nil where it is one.
    var problem: String? {
        switch state {
        case .broken(let problem): problem
        case .quoted: "cell \(found.count): there is no closing quote"
        default:
            found.firstIndex { String(validating: $0, as: UTF8.self) == nil }.map { "cell \($0 + 1) is not UTF-8" }
        }
    }

    /// What stands in it, where it is a row.
    var cells: [String]? {
        problem == nil ? found.map { String(decoding: $0, as: UTF8.self) } : nil
    }

    /// Reads the next line of a row that is open.
    mutating func goOn(_ line: [UInt8]) {
        found[found.count - 1].append(UInt8(ascii: "\n"))
        read(line)
    }

    private mutating func read(_ line: [UInt8]) {
        for (place, byte) in line.enumerated() {
            switch (state, byte) {
            case (.broken, _): return
            case (.quoted, UInt8(ascii: "\"")): state = .closed
            case (.quoted, _): found[found.count - 1].append(byte)
            case (_, UInt8(ascii: "\r")) where place == line.count - 1: return
            case (_, UInt8(ascii: ",")):
                found.append([])
                state = .start
            case (.start, UInt8(ascii: "\"")): state = .quoted
            case (.closed, UInt8(ascii: "\"")):
                found[found.count - 1].append(byte)
                state = .quoted
            case (.closed, _): state = .broken("cell \(found.count): there is more after the closing quote")
            case (.plain, UInt8(ascii: "\"")):
                state = .broken("cell \(found.count): a quote stands inside a cell that is not quoted")
            default:
                found[found.count - 1].append(byte)
                state = .plain
            }
        }
    }
}

extension UInt8 {
    /// True for what separates nothing but lines and words.
    fileprivate var isBlank: Bool { self == 0x20 || self == 0x09 || self == 0x0D }
}
