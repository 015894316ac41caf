/// Texts of pages as they are compared: small letters, words apart by one space, without what nobody sees.
///
/// All of it goes by bytes: a page may be made of characters that take a whole page to tell where each of them ends.
package enum PlainLetters {
    package static func plain(_ bytes: [UInt8]) -> [UInt8] {
        collapsed(Array(String(decoding: decoded(bytes), as: UTF8.self).lowercased().utf8))
    }

    package static func plain(_ text: String) -> [UInt8] { plain(Array(text.utf8)) }

    /// The words of a plain text: letters and digits of any script, with apostrophes inside.
    package static func words(of plain: some Collection<UInt8>) -> [String] {
        plain.split { !isOfWord($0) }.map { word in
            String(decoding: word.drop { $0 == 0x27 }, as: UTF8.self)
        }.filter { !$0.isEmpty }
    }

    static func isOfWord(_ byte: UInt8) -> Bool {
        (0x61...0x7A).contains(byte) || (0x30...0x39).contains(byte) || byte >= 0x80 || byte == 0x27
    }

    // MARK: Character references

    /// Character references that pages use in plain words; others stay as they are.
    package static func decoded(_ bytes: [UInt8]) -> [UInt8] {
        guard bytes.contains(0x26) else { return bytes }
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count)
        var place = 0
        while place < bytes.count {
            let byte = bytes[place]
            place += 1
            guard byte == 0x26 else {
                result.append(byte)
                continue
            }
            let name = bytes[place...].prefix(longestName).prefix { $0 > 0x20 && $0 != 0x3B && $0 != 0x26 }
            if name.endIndex < bytes.count, bytes[name.endIndex] == 0x3B, let character = character(named: name) {
                result += Array(String(character).utf8)
                place = name.endIndex + 1
            } else {
                result.append(byte)
            }
        }
        return result
    }

    private static let longestName = 10

    private static func character(named bytes: ArraySlice<UInt8>) -> Character? {
        let name = String(decoding: bytes, as: UTF8.self)
        guard name.utf8.first == 0x23 else { return named[name] }
        let digits = name.dropFirst()
        let isHexadecimal = digits.utf8.first.map { $0 | 0x20 } == 0x78
        let value = isHexadecimal ? UInt32(digits.dropFirst(), radix: 16) : UInt32(digits)
        return value.flatMap { Unicode.Scalar($0) }.map { Character($0) }
    }

    private static let named: [String: Character] = [
        "amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'", "nbsp": " ", "rsquo": "’", "auml": "ä",
        "ouml": "ö",
        "uuml": "ü", "Auml": "Ä", "Ouml": "Ö", "Uuml": "Ü", "szlig": "ß", "eacute": "é", "egrave": "è", "agrave": "à",
        "ccedil": "ç", "ecirc": "ê", "aacute": "á", "iacute": "í", "oacute": "ó", "uacute": "ú", "ntilde": "ñ",
        "atilde": "ã", "otilde": "õ", "aring": "å", "oslash": "ø", "Eacute": "É", "Egrave": "È", "Agrave": "À",
        "Ccedil": "Ç", "Aring": "Å", "Oslash": "Ø", "acirc": "â", "icirc": "î", "ocirc": "ô", "ucirc": "û",
        "euml": "ë", "iuml": "ï", "igrave": "ì", "ograve": "ò", "ugrave": "ù", "aelig": "æ", "oelig": "œ",
        "lsquo": "‘", "ldquo": "“", "rdquo": "”", "laquo": "«", "raquo": "»", "ndash": "–", "mdash": "—",
        "hellip": "…", "bull": "•", "middot": "·", "times": "×", "deg": "°", "frac12": "½", "reg": "®",
        "shy": "\u{AD}", "zwnj": "\u{200C}", "zwj": "\u{200D}", "ensp": " ", "emsp": " ", "thinsp": " ",
        "copy": "©", "trade": "™", "euro": "€", "pound": "£", "yen": "¥", "cent": "¢",
    ]

    // MARK: Space and what nobody sees

    private enum Mark {
        case space, nothing, hyphen, apostrophe
        /// Other bytes that are written in its place.
        case letter([UInt8])
        /// What belongs to the letter before it.
        case accent
    }

    /// What a scalar of several bytes counts as besides itself, and how many bytes it has.
    private static func mark(_ bytes: [UInt8], at place: Int) -> (mark: Mark, length: Int)? {
        func at(_ offset: Int) -> UInt8 { place + offset < bytes.count ? bytes[place + offset] : 0 }
        switch (bytes[place], at(1), at(2)) {
        case (0xC2, 0xA0, _), (0xC2, 0x85, _): return (.space, 2)
        case (0xC2, 0xAD, _): return (.nothing, 2)
        case (0xE2, 0x80, 0x80...0x8A), (0xE2, 0x80, 0xA8), (0xE2, 0x80, 0xA9), (0xE2, 0x80, 0xAF),
            (0xE2, 0x81, 0x9F), (0xE3, 0x80, 0x80):
            return (.space, 3)
        case (0xE2, 0x80, 0x8B...0x8F), (0xE2, 0x81, 0xA0), (0xEF, 0xBB, 0xBF): return (.nothing, 3)
        case (0xE2, 0x80, 0x90), (0xE2, 0x80, 0x91): return (.hyphen, 3)
        case (0xE2, 0x80, 0x98), (0xE2, 0x80, 0x99): return (.apostrophe, 3)
        // The dot that is left of a Turkish capital.
        case (0xCC, 0x87, _) where place > 0 && bytes[place - 1] == UInt8(ascii: "i"): return (.nothing, 2)
        case (0xCC, 0x80...0xBF, _), (0xCD, 0x80...0xAF, _): return (.accent, 2)
        // At the end of a word a Greek letter has another form, and in capitals none.
        case (0xCF, 0x82, _): return (.letter([0xCF, 0x83]), 2)
        // Letters and digits as wide as those of China and Japan.
        case (0xEF, 0xBC, 0x90...0x99): return (.letter([at(2) - 0x60]), 3)
        case (0xEF, 0xBD, 0x81...0x9A): return (.letter([at(2) - 0x20]), 3)
        default: return nil
        }
    }

    private static func collapsed(_ bytes: [UInt8]) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count)
        var isApart = false
        func isLetter(_ byte: UInt8?) -> Bool { byte.map { (0x61...0x7A).contains($0) } ?? false }
        func append(_ letter: [UInt8], to result: inout [UInt8]) {
            if isApart, !result.isEmpty { result.append(0x20) }
            isApart = false
            result += letter
        }
        var place = 0
        while place < bytes.count {
            let byte = bytes[place]
            let found = byte < 0x80 ? nil : mark(bytes, at: place)
            let length = found?.length ?? 1
            let next = place + length < bytes.count ? bytes[place + length] : nil
            switch found?.mark ?? plainMark(byte) {
            case .space: isApart = true
            // "Sold-out" is said as "sold out".
            case .hyphen where !isApart && isLetter(result.last) && isLetter(next): isApart = true
            case .hyphen: append([0x2D], to: &result)
            case .apostrophe: append([0x27], to: &result)
            case .nothing: break
            case .letter(let letter): append(letter, to: &result)
            case .accent:
                if isApart || !compose(Array(bytes[place..<place + length]), at: &result) {
                    append(Array(bytes[place..<place + length]), to: &result)
                }
            case nil: append([byte], to: &result)
            }
            place += length
        }
        return result
    }

    private static func plainMark(_ byte: UInt8) -> Mark? {
        switch byte {
        case 0x20, 0x09...0x0D: .space
        case 0x2D: .hyphen
        case 0..<0x20, 0x7F: .nothing
        default: nil
        }
    }

    // MARK: Accents that stand behind their letter

    /// The letters of Latin, Greek and Cyrillic that are one with their accent, which equal the two that they are made of.
    private static let composed: [Character: [UInt8]] = {
        var letters: [Character: [UInt8]] = [:]
        for range in [0xDF...0x24F, 0x386...0x3FF, 0x430...0x45F, 0x1E00...0x1FFF] as [ClosedRange<UInt32>] {
            for scalar in range.compactMap(Unicode.Scalar.init) {
                letters[Character(scalar)] = Array(String(scalar).utf8)
            }
        }
        return letters
    }()

    /// Makes one letter of the last one and its accent; false where there is none.
    private static func compose(_ accent: [UInt8], at text: inout [UInt8]) -> Bool {
        guard let start = text.suffix(3).lastIndex(where: { $0 & 0xC0 != 0x80 }) else { return false }
        let both = String(decoding: text[start...] + accent, as: UTF8.self)
        guard both.count == 1, let letter = both.first.flatMap({ composed[$0] }) else { return false }
        text.replaceSubrange(start..., with: letter)
        return true
    }
}
