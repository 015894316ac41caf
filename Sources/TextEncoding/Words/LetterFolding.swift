/// Case and diacritics removed, so that "Crème Brûlée", "CREME BRULEE" and the decomposed spelling are one.
enum LetterFolding {
    /// Appends the folded form of a letter, mark or digit as UTF-8.
    static func append(_ scalar: Unicode.Scalar, to word: inout WordLetters) {
        if let folded = table[scalar.value] {
            word.append(contentsOf: folded)
            return
        }
        switch scalar.value {
        // Full-width digits and letters.
        case 0xFF10...0xFF19: word.append(UInt8(scalar.value - 0xFF10 + 0x30))
        case 0xFF21...0xFF3A: word.append(UInt8(scalar.value - 0xFF21 + 0x61))
        case 0xFF41...0xFF5A: word.append(UInt8(scalar.value - 0xFF41 + 0x61))
        default:
            for lower in scalar.properties.lowercaseMapping.unicodeScalars where !(0x300...0x36F).contains(lower.value)
            {
                word.append(contentsOf: table[lower.value] ?? Array(String(lower).utf8))
            }
        }
    }

    /// Plain form, then the letters that fold to it; capitals follow from their lower case.
    private static let groups: [(String, String)] = [
        ("a", "àáâãäåāăąǎǟǡǻȁȃȧḁạảấầẩẫậắằẳẵặªẚ"), ("ae", "æǣǽ"), ("b", "ḃḅḇ"), ("c", "çćĉċčḉ"), ("d", "ďđðḋḍḏḑḓ"),
        ("e", "èéêëēĕėęěȅȇȩḕḗḙḛḝẹẻẽếềểễệ"), ("f", "ḟ"), ("g", "ĝğġģǥǧǵḡ"), ("h", "ĥħȟḣḥḧḩḫẖ"),
        ("i", "ìíîïĩīĭįıǐȉȋḭḯỉị"), ("ij", "ĳ"), ("j", "ĵǰ"), ("k", "ķǩḱḳḵ"), ("l", "ĺļľŀłḷḹḻḽ"), ("m", "ḿṁṃ"),
        ("n", "ñńņňŉǹṅṇṉṋŋ"), ("o", "òóôõöøōŏőơǒǫǭǿȍȏȫȭȯȱṍṏṑṓọỏốồổỗộớờởỡợº"), ("oe", "œ"), ("p", "ṕṗ"),
        ("r", "ŕŗřȑȓṙṛṝṟ"), ("s", "śŝşšșſṡṣṥṧṩ"), ("ss", "ßẞ"), ("t", "ţťŧțṫṭṯṱẗ"), ("th", "þ"),
        ("u", "ùúûüũūŭůűųưǔǖǘǚǜȕȗṳṵṷṹṻụủứừửữự"), ("v", "ṽṿ"), ("w", "ŵẁẃẅẇẉẘ"), ("x", "ẋẍ"), ("y", "ýÿŷȳẏẙỳỵỷỹ"),
        ("z", "źżžẑẓẕƶ"), ("ff", "ﬀ"), ("fi", "ﬁ"), ("fl", "ﬂ"), ("ffi", "ﬃ"), ("ffl", "ﬄ"), ("st", "ﬅﬆ"),
        ("α", "ά"), ("ε", "έ"), ("η", "ή"), ("ι", "ίϊΐ"), ("ο", "ό"), ("υ", "ύϋΰ"), ("ω", "ώ"), ("σ", "ς"), ("е", "ёѐ"),
        ("и", "ѝ"),
    ]

    private static let table: [UInt32: [UInt8]] = {
        var table: [UInt32: [UInt8]] = [:]
        for (plain, letters) in groups {
            for letter in letters.unicodeScalars {
                table[letter.value] = Array(plain.utf8)
                let upper = letter.properties.uppercaseMapping.unicodeScalars
                if upper.count == 1, let capital = upper.first, capital.value > 0x7F {
                    table[capital.value] = Array(plain.utf8)
                }
            }
        }
        return table
    }()
}

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
