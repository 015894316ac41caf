/// How many UTF-8 bytes of each text are kept; what is longer is cut, save hints and phrases, which are refused.
package enum TextLimit {
    package static let identifier = 200
    package static let name = 200
    package static let title = 500
    package static let description = 8_000
    package static let tag = 100
    package static let phrase = 300
    package static let reason = 1_000
    package static let url = 2_000
    /// In Unicode scalars, as the product counts them.
    package static let hintCharacters = 500
    /// How many items a list of phrases or tags may have, for whoever writes one and whoever reads it; a longer one is
    /// refused, since what is left out of a list of things to avoid would be shown.
    package static let listItems = 256
}
