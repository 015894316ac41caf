/// What a scalar outside ASCII does to the words around it.
enum ScalarRole {
    case word
    /// A character of a script written without spaces: a token of its own.
    case symbolWord
    case apostrophe
    /// Invisible inside a word: joiners, soft hyphens, combining diacritics, variation selectors.
    case ignored
    case separator
    case clauseEnd

    init(_ scalar: Unicode.Scalar) {
        switch scalar.value {
        case 0x2018, 0x2019, 0x02BC, 0xFF07, 0x2032: self = .apostrophe
        case 0xC0...0x24F where scalar.value != 0xD7 && scalar.value != 0xF7: self = .word
        case 0x1E00...0x1EFF: self = .word
        case 0xAD, 0x200C, 0x200D, 0x2060, 0xFEFF, 0xFE00...0xFE0F, 0xE0100...0xE01EF: self = .ignored
        case 0x300...0x36F, 0x1AB0...0x1AFF, 0x1DC0...0x1DFF, 0x20D0...0x20FF, 0xFE20...0xFE2F: self = .ignored
        // Arabic and Hebrew vowel points are left out in everyday writing.
        case 0x64B...0x65F, 0x670, 0x640, 0x591...0x5BD, 0x5BF, 0x5C1, 0x5C2, 0x5C4, 0x5C5, 0x5C7: self = .ignored
        case 0xB7, 0x2013...0x2015, 0x2022, 0x2026, 0x3001, 0x3002, 0xFF01, 0xFF0C, 0xFF0E, 0xFF1A, 0xFF1B, 0xFF1F:
            self = .clauseEnd
        default: self = Self.byCategory(scalar)
        }
    }

    private static func byCategory(_ scalar: Unicode.Scalar) -> Self {
        switch scalar.properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter:
            isWrittenWithoutSpaces(scalar.value) ? .symbolWord : .word
        case .nonspacingMark, .spacingMark, .decimalNumber, .letterNumber: .word
        default: .separator
        }
    }

    /// Thai, Lao, Burmese, Khmer, kana and ideographs.
    private static func isWrittenWithoutSpaces(_ value: UInt32) -> Bool {
        switch value {
        case 0xE00...0xEFF, 0x1000...0x109F, 0x1780...0x17FF, 0x3041...0x30FF, 0x31F0...0x31FF, 0x3400...0x4DBF,
            0x4E00...0x9FFF, 0xF900...0xFAFF, 0xFF66...0xFF9F, 0x20000...0x3FFFF:
            true
        default: false
        }
    }
}
