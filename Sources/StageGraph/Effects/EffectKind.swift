/// What sort of look at the outside an effect is, such as `provider.search`.
package struct EffectKind: Hashable, Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
    package let text: String

    package init(_ text: String) {
        self.text = text
    }

    package init(stringLiteral value: String) {
        text = value
    }

    package var description: String { text }
}
