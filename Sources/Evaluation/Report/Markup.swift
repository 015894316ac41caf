/// HTML whose literal parts are ours and whose interpolated texts are escaped, so that no text can become markup.
package struct Markup: Sendable, ExpressibleByStringInterpolation {
    package let text: String

    package init(stringLiteral value: String) {
        text = value
    }

    package init(stringInterpolation interpolation: Interpolation) {
        text = interpolation.text
    }

    private init(trusted text: String) {
        self.text = text
    }

    /// Nothing at all.
    static let empty: Markup = ""

    /// Pieces after one another, a line each.
    static func lines(_ pieces: [Markup]) -> Markup {
        Markup(trusted: pieces.filter { !$0.text.isEmpty }.map(\.text).joined(separator: "\n"))
    }

    /// A text of ours at its whole length, which others may have put words into.
    static func whole(_ text: String) -> Markup { Markup(trusted: EscapedText.of(text, limit: 4_000)) }

    /// A style sheet of ours; never a text from outside.
    static func styleSheet(_ text: StaticString) -> Markup { Markup(trusted: text.description) }
}

extension Markup {
    /// Collects literals as they are and everything else escaped.
    package struct Interpolation: StringInterpolationProtocol {
        fileprivate(set) var text = ""

        package init(literalCapacity: Int, interpolationCount: Int) {
            text.reserveCapacity(literalCapacity + 16 * interpolationCount)
        }

        package mutating func appendLiteral(_ literal: String) { text += literal }
        package mutating func appendInterpolation(_ text: String) { self.text += EscapedText.of(text) }
        package mutating func appendInterpolation(_ markup: Markup) { text += markup.text }
        package mutating func appendInterpolation(_ markup: [Markup]) { text += Markup.lines(markup).text }
        package mutating func appendInterpolation(_ number: Int) { text += String(number) }
    }
}

/// A text of anybody's as text on a page: no markup, no control characters, no turned-around writing, no great length.
enum EscapedText {
    /// Characters of one text; a description of a megabyte is cut.
    static let limit = 600

    static func of(_ text: String, limit: Int = limit) -> String {
        var result = ""
        result.reserveCapacity(text.utf8.count + 16)
        var count = 0
        for scalar in text.unicodeScalars {
            guard count < limit else {
                result += "\u{2026}"
                break
            }
            count += 1
            switch scalar {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"": result += "&quot;"
            case "'": result += "&#39;"
            case "\n", "\t": result += " "
            case _ where isTrouble(scalar): result += "\u{FFFD}"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }

    /// Controls, the marks that turn the direction of writing around, and what is no character at all.
    private static func isTrouble(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0..<0x20, 0x7F..<0xA0, 0x200E...0x200F, 0x2028...0x202E, 0x2066...0x2069, 0xFFF9...0xFFFB: true
        default: scalar.value & 0xFFFE == 0xFFFE || scalar.properties.isNoncharacterCodePoint
        }
    }
}
