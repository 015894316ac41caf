/// Signs, codes and names of currencies; a sign may stand for several.
enum CurrencyNotation {
    private static let dollars: Set<String> = [
        "USD", "CAD", "AUD", "NZD", "SGD", "HKD", "TWD", "MXN", "ARS", "CLP", "COP", "UYU", "JMD", "TTD", "BBD", "BSD",
        "BZD", "FJD", "XCD", "BMD", "KYD", "LRD", "NAD", "GYD", "SRD",
    ]
    private static let crowns: Set<String> = ["SEK", "NOK", "DKK", "ISK"]

    /// What stands before a dollar sign to say whose it is.
    static let dollarPrefixes: [String: String] = [
        "us": "USD", "c": "CAD", "ca": "CAD", "can": "CAD", "cdn": "CAD", "a": "AUD", "au": "AUD", "aus": "AUD",
        "nz": "NZD", "hk": "HKD", "s": "SGD", "sg": "SGD", "nt": "TWD", "r": "BRL", "mx": "MXN", "mex": "MXN",
        "j": "JMD", "tt": "TTD", "ec": "XCD", "bz": "BZD", "fj": "FJD", "n": "NAD", "rd": "DOP",
    ]

    static func codes(ofSign sign: Unicode.Scalar) -> Set<String>? {
        switch sign {
        case "$", "＄": dollars
        case "£", "￡": ["GBP", "GIP", "FKP", "EGP"]
        case "€": ["EUR"]
        case "¥", "￥": ["JPY", "CNY"]
        case "₹": ["INR"]
        case "₩": ["KRW"]
        case "₺": ["TRY"]
        case "₱": ["PHP"]
        case "฿": ["THB"]
        case "₫": ["VND"]
        case "₪": ["ILS"]
        case "₴": ["UAH"]
        case "₽": ["RUB"]
        case "₦": ["NGN"]
        case "₵": ["GHS"]
        case "₸": ["KZT"]
        case "₾": ["GEL"]
        case "৳": ["BDT"]
        case "₡": ["CRC"]
        case "₲": ["PYG"]
        case "₨": ["INR", "PKR", "LKR", "NPR"]
        default: nil
        }
    }

    private static let names: [String: Set<String>] = [
        "dollar": dollars, "dollars": dollars, "bucks": dollars, "pound": ["GBP"], "pounds": ["GBP"], "quid": ["GBP"],
        "euro": ["EUR"], "euros": ["EUR"], "yen": ["JPY"], "円": ["JPY"], "元": ["CNY"], "yuan": ["CNY"],
        "franc": ["CHF"], "francs": ["CHF"], "franken": ["CHF"], "fr": ["CHF"], "sfr": ["CHF"], "rupees": ["INR"],
        "rs": ["INR", "PKR", "LKR", "NPR"], "won": ["KRW"], "kr": crowns, "kronor": ["SEK"],
        "kroner": ["NOK", "DKK"], "zł": ["PLN"], "zloty": ["PLN"], "kč": ["CZK"], "ft": ["HUF"],
        "pesos": ["MXN", "ARS", "CLP", "COP", "UYU", "PHP"], "reais": ["BRL"], "rand": ["ZAR"],
    ]

    /// What people write at home.
    ///
    /// Each of these is a common word, a title or a place somewhere else, so that it is money only beside a price of its own
    /// currency.
    private static let homeNames: [String: Set<String>] = [
        "dh": ["AED", "MAD"], "dhs": ["AED", "MAD"], "dirham": ["AED", "MAD"], "dirhams": ["AED", "MAD"],
        "sr": ["SAR"], "qr": ["QAR"], "riyal": ["SAR", "QAR"], "riyals": ["SAR", "QAR"], "rial": ["OMR"],
        "rials": ["OMR"], "ro": ["OMR"], "kd": ["KWD"], "bd": ["BHD"], "jd": ["JOD"], "dt": ["TND"],
        "dinar": ["KWD", "BHD", "JOD", "IQD", "TND", "LYD", "RSD"], "din": ["RSD"], "dinara": ["RSD"],
        "dinars": ["KWD", "BHD", "JOD", "IQD", "TND", "LYD"], "nis": ["ILS"], "shekel": ["ILS"], "shekels": ["ILS"],
        "rm": ["MYR"], "ringgit": ["MYR"], "rp": ["IDR"], "rupiah": ["IDR"], "baht": ["THB"], "บาท": ["THB"],
        "đ": ["VND"], "vnđ": ["VND"], "dong": ["VND"], "đồng": ["VND"], "rmb": ["CNY"], "元": ["TWD", "HKD"],
        "원": ["KRW"], "tk": ["BDT"], "taka": ["BDT"], "rupee": ["INR", "PKR", "LKR", "NPR", "MUR"],
        "rupees": ["PKR", "LKR", "NPR", "MUR"], "ksh": ["KES"], "kshs": ["KES"], "ush": ["UGX"], "tsh": ["TZS"],
        "shillings": ["KES", "UGX", "TZS"], "naira": ["NGN"], "cedi": ["GHS"], "cedis": ["GHS"], "tl": ["TRY"],
        "lira": ["TRY"], "lei": ["RON"], "leu": ["RON"], "lv": ["BGN"], "leva": ["BGN"], "лв": ["BGN"],
        "руб": ["RUB"], "рубль": ["RUB"], "рубля": ["RUB"], "рублей": ["RUB"], "грн": ["UAH"], "гривень": ["UAH"],
        "тенге": ["KZT"], "tenge": ["KZT"], "lari": ["GEL"], "zl": ["PLN"], "złotych": ["PLN"], "korun": ["CZK"],
        "forint": ["HUF"], "soles": ["PEN"], "pounds": ["EGP", "GIP", "FKP"], "francs": ["XAF", "XOF", "XPF", "RWF"],
    ]

    /// These stand before the number and in capitals: "R 450", "P500"; behind it they are something else.
    private static let capitals: [String: String] = ["R": "ZAR", "P": "PHP", "LE": "EGP", "L": "HNL", "Q": "GTQ"]

    /// What marks behind a number make it a price by themselves: "450:-", "450,-".
    static func codes(ofDashBehind mark: Unicode.Scalar, listed: Currency) -> Set<String>? {
        let codes: Set<String>? =
            switch mark {
            case ":": ["SEK"]
            case ",": ["NOK", "DKK", "CZK"]
            default: nil
            }
        return codes.flatMap { $0.contains(listed.code) ? $0 : nil }
    }

    /// Codes count in capitals, or else three letters of any word would.
    static func codes(ofWord word: String, listed: Currency, isBeforeNumber: Bool) -> Set<String>? {
        let name = word.lowercased()
        if let codes = homeNames[name], codes.contains(listed.code) { return codes }
        if isBeforeNumber, capitals[word] == listed.code { return [listed.code] }
        if let codes = names[name] { return codes }
        guard word.utf8.count == 3, word.uppercased() == word, let currency = Currency(word),
            known.contains(currency.code)
        else { return nil }
        return [currency.code]
    }

    private static let known: Set<String> = Set(
        ("AED ARS AUD BDT BGN BHD BMD BOB BRL BSD CAD CHF CLP CNY COP CRC CZK DKK DOP EGP EUR FJD GBP GEL GHS GIP GTQ "
            + "HKD HNL HUF IDR ILS INR IQD ISK JMD JOD JPY KES KRW KWD KZT LBP LKR LYD MAD MUR MXN MYR NAD NGN NOK NPR NZD "
            + "OMR PAB PEN PHP PKR PLN PYG QAR RON RSD RUB RWF SAR SEK SGD THB TND TRY TTD TWD TZS UAH UGX USD UYU VND "
            + "XAF XOF XPF ZAR ZMW").split(separator: " ").map(String.init)
    )
}

/// Numbers as prices write them: `8,000`, `1.250,00`, `1 250`, `92.5`, `1,10,000`.
enum PriceNumber {
    static func isDigit(_ scalar: Unicode.Scalar) -> Bool { ("0"..."9").contains(scalar) }

    /// The end of the number that starts there; separators belong to it only between digits, spaces only before three.
    static func end(in scalars: [Unicode.Scalar], from start: Int) -> Int {
        func digits(from position: Int) -> Int {
            var end = position
            while end < scalars.count, isDigit(scalars[end]) { end += 1 }
            return end
        }
        var end = digits(from: start)
        var groups = end - start
        while end < scalars.count {
            let next = digits(from: end + 1)
            let count = next - end - 1
            switch scalars[end] {
            case ".", ",", "'", "’": guard count > 0 else { return end }
            case " ", "\u{A0}", "\u{2009}", "\u{202F}": guard count == 3, groups <= 3 else { return end }
            default: return end
            }
            groups = count
            end = next
        }
        return end
    }

    /// Nil when the number has no such reading or a part smaller than the currency's smallest coin.
    static func minorUnits(_ text: String, exponent: Int) -> Int? {
        var whole = ""
        var fraction = ""
        let separators = text.filter { $0 == "." || $0 == "," }
        let pieces = text.split { !$0.isASCII || !$0.isNumber }.map(String.init)
        if let last = separators.last, pieces.count > 1, isDecimal(last, separators, pieces, exponent) {
            whole = pieces.dropLast().joined()
            fraction = pieces[pieces.count - 1]
        } else {
            guard areGroups(pieces) else { return nil }
            whole = pieces.joined()
        }
        while fraction.count > exponent {
            guard fraction.removeLast() == "0" else { return nil }
        }
        let digits = whole + fraction + String(repeating: "0", count: exponent - fraction.count)
        return digits.count <= 15 ? Int(digits) : nil
    }

    /// Whether the digits stand in groups of three, or as India groups them: three at the end and twos before.
    private static func areGroups(_ pieces: [String]) -> Bool {
        guard pieces.count > 1 else { return true }
        let middle = pieces.dropFirst().dropLast()
        let isIndian = !middle.isEmpty && pieces[0].count <= 2 && middle.allSatisfy { $0.count == 2 }
        return pieces[pieces.count - 1].count == 3 && (isIndian || middle.allSatisfy { $0.count == 3 })
    }

    /// Whether the last separator is the decimal one: it comes once, last, and not before a group of three.
    private static func isDecimal(
        _ last: Character,
        _ separators: String,
        _ pieces: [String],
        _ exponent: Int
    ) -> Bool {
        guard separators.filter({ $0 == last }).count == 1 else { return false }
        if separators.count > 1 { return true }
        let count = pieces[pieces.count - 1].count
        return count != 3 || exponent == 3 && last == "."
    }
}
