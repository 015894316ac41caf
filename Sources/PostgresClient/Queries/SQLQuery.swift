/// A statement and its values, built by interpolation: every value becomes a bind and none becomes text.
///
/// `"select id from hints where vault_id = \(vault) and created_at < \(instant)"`. Text that is no value needs
/// `\(unescaped: "…")` with a literal; another query stands in this one as `\(fragment: query)`.
package struct SQLQuery: Sendable, Hashable {
    /// The text between the binds: always one more than there are binds.
    fileprivate let pieces: [String]
    package let binds: [SQLBind]
    /// With `$1` and so on where the binds stand.
    package let text: String

    fileprivate init(pieces: [String], binds: [SQLBind]) {
        self.pieces = pieces
        self.binds = binds
        var text = pieces.first ?? ""
        for (number, piece) in pieces.dropFirst().enumerated() {
            text += "$\(number + 1)"
            text += piece
        }
        self.text = text
    }

    /// A statement that stands in the program or in one of its own SQL files, with its values.
    init(unescaped text: String, binds: [SQLBind] = []) {
        pieces = [text]
        self.binds = binds
        self.text = text
    }

    /// The queries after one another with a text between them: `"a", "b"` with `" and "`.
    package static func joined(_ queries: [SQLQuery], by separator: StaticString) -> SQLQuery {
        var joined = StringInterpolation(literalCapacity: 0, interpolationCount: 0)
        for (place, query) in queries.enumerated() {
            if place > 0 { joined.appendInterpolation(unescaped: separator) }
            joined.appendInterpolation(fragment: query)
        }
        return SQLQuery(stringInterpolation: joined)
    }
}

extension SQLQuery: ExpressibleByStringInterpolation {
    package struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var pieces = [""]
        fileprivate var binds: [SQLBind] = []

        package init(literalCapacity: Int, interpolationCount: Int) {
            pieces.reserveCapacity(interpolationCount + 1)
            binds.reserveCapacity(interpolationCount)
        }

        package mutating func appendLiteral(_ literal: String) {
            pieces[pieces.count - 1] += literal
        }

        package mutating func appendInterpolation(_ value: some SQLBindable) {
            binds.append(value.bind)
            pieces.append("")
        }

        /// Nil becomes a null of the value's type.
        package mutating func appendInterpolation<Value: SQLBindable>(_ value: Value?) {
            binds.append(value.bind)
            pieces.append("")
        }

        /// Text as it stands: a literal, so that nothing from outside can become part of a statement.
        package mutating func appendInterpolation(unescaped text: StaticString) {
            appendLiteral(text.description)
        }

        package mutating func appendInterpolation(fragment query: SQLQuery) {
            appendLiteral(query.pieces[0])
            pieces += query.pieces.dropFirst()
            binds += query.binds
        }
    }

    package init(stringLiteral text: String) {
        self.init(pieces: [text], binds: [])
    }

    package init(stringInterpolation: StringInterpolation) {
        self.init(pieces: stringInterpolation.pieces, binds: stringInterpolation.binds)
    }
}

/// One value on its way to the server: its type and its binary form, nil for null.
package struct SQLBind: Sendable, Hashable {
    /// Why a value cannot be sent; found while it is made, told when the query is run.
    package enum Flaw: Sendable, Hashable {
        case zeroInText
        case outOfRange
    }

    package let type: PostgresType
    package let bytes: [UInt8]?
    package let flaw: Flaw?

    package init(_ type: PostgresType, _ bytes: [UInt8]?, flaw: Flaw? = nil) {
        self.type = type
        self.bytes = bytes
        self.flaw = flaw
    }
}
