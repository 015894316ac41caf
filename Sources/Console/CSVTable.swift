/// Rows as comma-separated values by RFC 4180, with lines that end as they do here.
package struct CSVTable: Sendable {
    /// One value of a row.
    package enum Cell: Sendable {
        case text(String?)
        case whole(Int?)
        case number(Double?)
        case flag(Bool)
    }

    package private(set) var lines: [String]
    private let width: Int

    package init(_ header: [String]) {
        width = header.count
        lines = [header.map { Self.text(.text($0)) }.joined(separator: ",")]
    }

    package mutating func add(_ cells: [Cell]) {
        precondition(cells.count == width, "a row needs a cell for each name in the header")
        lines.append(cells.map(Self.text).joined(separator: ","))
    }

    /// The whole table, its last line ended too.
    package var text: String { lines.joined(separator: "\n") + "\n" }

    private static func text(_ cell: Cell) -> String {
        switch cell {
        case .text(let text): text.map(quoted) ?? ""
        case .whole(let number): number.map(String.init) ?? ""
        case .number(let number): number.map { $0.isFinite ? "\($0)" : "" } ?? ""
        case .flag(let isOn): isOn ? "true" : "false"
        }
    }

    /// In quotes where a comma, a quote or a line's end needs them; a spreadsheet must take no text for a formula, and a
    /// terminal none for an order.
    private static func quoted(_ text: String) -> String {
        let told = text.unicodeScalars.filter { "\n\r\t".unicodeScalars.contains($0) || !TerminalText.isSteering($0) }
        var safe = String(String.UnicodeScalarView(told))
        if let first = safe.unicodeScalars.first, "=+-@\t\r".unicodeScalars.contains(first) { safe = "'" + safe }
        let needsQuotes = safe.unicodeScalars.contains { $0 == "," || $0 == "\"" || $0 == "\n" || $0 == "\r" }
        return needsQuotes ? "\"" + safe.replacing("\"", with: "\"\"") + "\"" : safe
    }
}
