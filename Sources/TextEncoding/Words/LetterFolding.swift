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
