import TextEncoding

/// What single characters of a provider's text are to whoever reads it for words.
package enum PlainScalars {
    typealias Scalars = [Unicode.Scalar]

    /// Scalars as text; through bytes, which takes a tenth of the time that a view of scalars does.
    static func text(_ scalars: some RandomAccessCollection<Unicode.Scalar>) -> String {
        if scalars.count <= 15, scalars.allSatisfy({ $0.value < 0x80 }) {
            // There is room for fifteen bytes, and no more are written.
            return unsafe String(unsafeUninitializedCapacity: 15) { buffer in
                for (place, scalar) in scalars.enumerated() {
                    unsafe buffer[place] = UInt8(truncatingIfNeeded: scalar.value)
                }
                return scalars.count
            }
        }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(scalars.underestimatedCount + 8)
        for scalar in scalars {
            if scalar.value < 0x80 {
                bytes.append(UInt8(truncatingIfNeeded: scalar.value))
            } else {
                bytes.append(contentsOf: UTF8.encode(scalar).map(Array.init) ?? [])
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    static func endsSentence(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case ".", "!", "?", ";", ":", "\u{2026}": true
        default: false
        }
    }

    static func joinsWords(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "'", "-", "&", ",", "\u{2019}": true
        default: false
        }
    }

    static func isWord(_ scalar: Unicode.Scalar) -> Bool {
        isPlain(scalar) || joinsWords(scalar) || scalar.value > 0x7F && scalar.properties.isAlphabetic
    }

    /// A letter or a digit of ASCII, which is nothing else besides.
    static func isPlain(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "a"..."z", "A"..."Z", "0"..."9": true
        default: false
        }
    }

    /// Accents of their own stand inside a word.
    static func isMark(_ scalar: Unicode.Scalar) -> Bool {
        // The first of them all; a look-up of properties costs more than all else here.
        if scalar.value < 0x300 { return false }
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .spacingMark, .enclosingMark: return true
        default: return false
        }
    }

    /// What nobody sees: joiners, marks of direction, soft hyphens, control characters.
    package static func isHidden(_ scalar: Unicode.Scalar) -> Bool {
        if scalar.value >= 0x20, scalar.value < 0x7F { return false }
        switch scalar.properties.generalCategory {
        case .format, .control, .privateUse, .unassigned: return true
        default: return false
        }
    }

    /// What makes a text read otherwise than it stands there.
    static func isForgery(_ scalar: Unicode.Scalar) -> Bool { scalar == "\u{202D}" || scalar == "\u{202E}" }

    static func isCode(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "{", "}", "\\", "=", "<", ">", "|", "^", "~", "`", "_", "@": true
        default: false
        }
    }

    /// Signs that a price or a number has.
    static func isSign(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "[", "]", "$", "#": true
        default: false
        }
    }

    static func isSpace(_ scalar: Unicode.Scalar) -> Bool {
        if scalar.value < 0x80 { return scalar.value == 0x20 || (0x09...0x0D).contains(scalar.value) }
        return scalar.properties.isWhitespace
    }

    static func isLetter(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "a"..."z", "A"..."Z": true
        default: scalar.value > 0x7F && scalar.properties.isAlphabetic
        }
    }

    /// A word of a text as it is compared: in small letters, without what is neither letter nor number.
    static func bare(_ word: String) -> String {
        let isBare = word.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
            case UInt8(ascii: "0")...UInt8(ascii: "9"): true
            default: false
            }
        }
        if isBare { return word.lowercased() }
        return word.lowercased().filter { $0.isLetter || $0.isNumber }
    }

    /// A bare word's fingerprint and how many bytes of UTF-8 it has.
    struct BareWord {
        let fingerprint: UInt64
        let count: Int
    }

    /// The same of the bare word, without making it where it is ASCII.
    static func bareFingerprint(_ word: String) -> BareWord {
        var fingerprint = Fingerprint.empty
        var count = 0
        for byte in word.utf8 {
            let lower = byte | 0x20
            switch byte {
            case 0x80...: return BareWord(fingerprint: Fingerprint.of(bare(word)), count: bare(word).utf8.count)
            case _ where lower &- UInt8(ascii: "a") < 26: fingerprint = Fingerprint.adding(lower, to: fingerprint)
            case UInt8(ascii: "0")...UInt8(ascii: "9"): fingerprint = Fingerprint.adding(byte, to: fingerprint)
            default: continue
            }
            count += 1
        }
        return BareWord(fingerprint: fingerprint, count: count)
    }

    static func isAddress(_ word: Scalars.SubSequence) -> Bool {
        guard let first = word.first else { return false }
        if !["w", "W", "%"].contains(first), !word.prefix(12).contains("/") { return false }
        let text = Self.text(word.prefix(12)).lowercased()
        return text.contains("://") || text.hasPrefix("www.") || word.starts(with: "%".unicodeScalars)
    }

    /// The first scalars of a text, every tag and entity a space, what stands in a script or is hidden left out.
    static func withoutTags(_ text: String, most: Int) -> Scalars {
        let scalars = beginning(of: text, most: most)
        if !text.utf8.contains(where: { $0 == UInt8(ascii: "<") || $0 == UInt8(ascii: "&") }) { return scalars }
        var plain: Scalars = []
        plain.reserveCapacity(scalars.count)
        var place = 0
        while place < scalars.count {
            if scalars[place] == "<", let end = endOfTag(in: scalars, from: place) {
                place = isUnseen(scalars[place..<end]) ? endOfBlock(in: scalars, from: end) : end
                plain.append(" ")
            } else if scalars[place] == "&", let end = endOfEntity(in: scalars, from: place) {
                place = end
                plain.append(" ")
            } else {
                plain.append(scalars[place])
                place += 1
            }
        }
        return plain
    }

    /// The first scalars of a text; where there are more, as far as the last sentence or at least the last word is whole.
    private static func beginning(of text: String, most: Int) -> Scalars {
        var scalars = Scalars(text.unicodeScalars.prefix(most + 1))
        guard scalars.count > most else { return scalars }
        let sentence = scalars.lastIndex { endsSentence($0) || $0 == "\n" }
        let word = scalars.lastIndex(where: isSpace) ?? 0
        // A sentence that long is none: then there is only a word to be cut.
        let end = sentence.map { most - $0 < most / 8 ? $0 + 1 : word } ?? word
        scalars.removeLast(scalars.count - end)
        return scalars
    }

    /// The place after a tag that starts here; nil where a "<" is no tag's.
    private static func endOfTag(in scalars: Scalars, from start: Int) -> Int? {
        guard start + 1 < scalars.count else { return nil }
        let next = scalars[start + 1]
        guard next == "/" || next == "!" || next.properties.isAlphabetic else { return nil }
        let reach = scalars[start..<min(scalars.count, start + 400)]
        return reach.firstIndex(of: ">").map { $0 + 1 }
    }

    /// Whether a tag opens what a page does not show.
    private static func isUnseen(_ tag: Scalars.SubSequence) -> Bool {
        let text = Self.text(tag).lowercased().filter { !$0.isWhitespace }
        return ["<script", "<style", "<template", "<noscript"].contains(where: text.hasPrefix)
            || ["display:none", "visibility:hidden"].contains(where: text.contains)
    }

    /// The place of the next closing tag, or the end.
    private static func endOfBlock(in scalars: Scalars, from start: Int) -> Int {
        var place = start
        while place + 1 < scalars.count, scalars[place] != "<" || scalars[place + 1] != "/" { place += 1 }
        return place + 1 < scalars.count ? place : scalars.count
    }

    private static func endOfEntity(in scalars: Scalars, from start: Int) -> Int? {
        let reach = scalars[start + 1..<min(scalars.count, start + 10)]
        guard let end = reach.firstIndex(of: ";"), end > start + 1 else { return nil }
        let isName = scalars[start + 1..<end].allSatisfy {
            $0.properties.isAlphabetic || ("0"..."9").contains($0) || $0 == "#"
        }
        return isName ? end + 1 : nil
    }
}
