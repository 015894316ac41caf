/// Makes a text from outside fit to keep: one line, visible characters only, of bounded length.
///
/// Markup stays, as data.
package enum BoundaryText {
    /// The text trimmed, on one line, without controls and invisible format characters, and of at most so many bytes.
    ///
    /// It is cut at a character's border, and the work is bounded by the limit, not by the text.
    package static func clean(_ text: String, limit: Int) -> String {
        if isClean(text, limit: limit) { return text }
        var output = ""
        var owesSpace = false
        var isEmojiBefore = false
        var owesJoiner = false
        var examined = 0
        for scalar in text.unicodeScalars {
            // A text may hide its letters behind any number of spaces; beyond this it is not worth reading on.
            examined += 1
            if output.utf8.count > limit || examined > 4 * limit + 1_024 { break }
            if isSpace(scalar) {
                owesSpace = !output.isEmpty
                continue
            }
            if scalar == "\u{200D}" {
                owesJoiner = isEmojiBefore && !owesSpace
                continue
            }
            guard isKept(scalar, afterEmoji: isEmojiBefore && !owesSpace) else { continue }
            let isEmoji = scalar.value > 0x7F && scalar.properties.isEmoji
            if owesJoiner, isEmoji { output.unicodeScalars.append("\u{200D}") }
            if owesSpace { output.unicodeScalars.append(" ") }
            output.unicodeScalars.append(scalar)
            owesSpace = false
            owesJoiner = false
            isEmojiBefore = isEmoji || isEmojiBefore && scalar.properties.isVariationSelector
        }
        return cut(output, limit: limit)
    }

    /// Most texts are plain and need no copy.
    private static func isClean(_ text: String, limit: Int) -> Bool {
        guard text.utf8.count <= limit else { return false }
        var previous = UInt8(ascii: " ")
        let bytes = text.utf8.span
        for place in bytes.indices {
            let byte = bytes[place]
            guard (0x20..<0x7F).contains(byte), byte != 0x20 || previous != 0x20 else { return false }
            previous = byte
        }
        return text.isEmpty || previous != 0x20
    }

    /// Most scalars are ASCII, whose spaces are told without asking for properties.
    private static func isSpace(_ scalar: Unicode.Scalar) -> Bool {
        scalar.value < 0x80
            ? scalar == " " || (0x09...0x0D).contains(scalar.value) : scalar.properties.isWhitespace
    }

    private static func isKept(_ scalar: Unicode.Scalar, afterEmoji: Bool) -> Bool {
        switch scalar.value {
        case 0x20..<0x7F: return true
        case 0..<0xA0: return false
        // How an emoji is to be drawn.
        case 0xFE0E, 0xFE0F: return afterEmoji
        default: break
        }
        switch scalar.properties.generalCategory {
        case .control, .format, .surrogate: return false
        default: break
        }
        return !scalar.properties.isDefaultIgnorableCodePoint && !scalar.properties.isNoncharacterCodePoint
    }

    private static func cut(_ text: String, limit: Int) -> String {
        guard text.utf8.count > limit else { return text }
        var end = text.startIndex
        var length = 0
        for character in text {
            length += character.utf8.count
            if length > limit { break }
            end = text.index(after: end)
        }
        var scalars = String.UnicodeScalarView(text[..<end].unicodeScalars)
        if scalars.isEmpty {
            // One heap of marks longer than the limit: there is no other border than between scalars.
            var length = 0
            for scalar in text.unicodeScalars {
                length += Unicode.UTF8.width(scalar)
                if length > limit { break }
                scalars.append(scalar)
            }
        }
        // What the cut left hanging: a space between words, or a joiner whose second half is gone.
        while let last = scalars.last, last == " " || last == "\u{200D}" { scalars.removeLast() }
        return String(scalars)
    }
}

/// How many UTF-8 bytes of each text are kept; what is longer is cut, save ids, hints and phrases, which are refused.
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
