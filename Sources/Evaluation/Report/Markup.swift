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
