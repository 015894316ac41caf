/// A text cut into words, marks and amounts of money.
struct PriceText {
    enum Element: Hashable {
        /// Lower case.
        case word(String)
        case mark(Unicode.Scalar)
        /// In minor units of the listed currency; nil when it is in another one or cannot be paid in this one.
        case amount(Int?)
    }

    /// What the first look finds: amounts are put together from numbers and the currencies beside them.
    private enum Token {
        case word(String)
        case mark(Unicode.Scalar)
        case number(String)
        case space
    }

    let elements: [Element]
    private static let longest = 16_000

    init(_ text: String, currency: Currency) {
        elements = Self.elements(Self.tokens(text), currency: currency)
    }

    private static func tokens(_ text: String) -> [Token] {
        let scalars = Array(text.unicodeScalars.prefix(longest))
        var tokens: [Token] = []
        var position = 0
        while position < scalars.count {
            let scalar = scalars[position]
            if let end = markupEnd(in: scalars, from: position) {
                tokens.append(.space)
                position = end
            } else if PriceNumber.isDigit(scalar) {
                let end = PriceNumber.end(in: scalars, from: position)
                var digits = String.UnicodeScalarView()
                digits.append(contentsOf: scalars[position..<end])
                tokens.append(.number(String(digits)))
                position = end
            } else if isLetter(scalar) {
                let start = position
                while position < scalars.count, isLetter(scalars[position]) { position += 1 }
                var word = String.UnicodeScalarView()
                word.append(contentsOf: scalars[start..<position])
                tokens.append(.word(String(word)))
            } else {
                if !scalar.properties.isWhitespace {
                    tokens.append(.mark(scalar))
                } else if case .space? = tokens.last {
                } else {
                    tokens.append(.space)
                }
                position += 1
            }
        }
        return tokens
    }

    /// Nearly every scalar is ASCII, for which the Unicode tables need not be asked.
    private static func isLetter(_ scalar: Unicode.Scalar) -> Bool {
        guard scalar.isASCII else { return scalar.properties.isAlphabetic }
        return ("a"..."z").contains(scalar) || ("A"..."Z").contains(scalar)
    }

    /// The end of a tag or of a written-out space; a price reads the same with and without them.
    private static func markupEnd(in scalars: [Unicode.Scalar], from start: Int) -> Int? {
        guard scalars[start] == "&" || scalars[start] == "<" else { return nil }
        let rest = scalars[start...].prefix(100)
        if rest.starts(with: "&nbsp;".unicodeScalars) { return start + 6 }
        guard rest.first == "<", let next = rest.dropFirst().first, next == "/" || next.properties.isAlphabetic
        else { return nil }
        return rest.firstIndex(of: ">").map { $0 + 1 }
    }

    private static func elements(_ tokens: [Token], currency: Currency) -> [Element] {
        var elements: [Element] = []
        var position = 0
        while position < tokens.count {
            if let (amount, end) = amount(tokens, from: position, currency: currency) {
                elements.append(.amount(amount.minorUnits))
                position = end
                if let (upper, end) = rangeEnd(tokens, from: position, after: amount, currency: currency) {
                    elements.append(.amount(upper))
                    position = end
                }
                continue
            }
            switch tokens[position] {
            case .word(let word): elements.append(.word(word.lowercased()))
            case .mark(let mark): elements.append(.mark(mark))
            // A number without a currency is a word: "for 2".
            case .number(let number): elements.append(.word(number))
            case .space: break
            }
            position += 1
        }
        return elements
    }

    /// An amount with the number it was read from.
    private struct Amount {
        let number: String
        let isListedCurrency: Bool
        let minorUnits: Int?
    }

    /// A number with a currency before it, behind it, or both (`$120 CAD`).
    private static func amount(_ tokens: [Token], from start: Int, currency: Currency) -> (amount: Amount, end: Int)? {
        var position = start
        var notations: [Set<String>] = []
        if let (codes, end) = notation(tokens, from: position, currency, isBeforeNumber: true) {
            notations.append(codes)
            position = end
            if case .space? = element(tokens, position) { position += 1 }
        }
        guard case .number(let number)? = element(tokens, position) else { return nil }
        position += 1
        var after = position
        if case .space? = element(tokens, after) { after += 1 }
        if let (codes, end) = notation(tokens, from: after, currency, isBeforeNumber: false),
            !(notations.isEmpty && startsAmount(tokens, from: end))
        {
            notations.append(codes)
            position = end
        } else if notations.isEmpty, case .mark(let mark)? = element(tokens, position), isDash(tokens, position + 1),
            let codes = CurrencyNotation.codes(ofDashBehind: mark, listed: currency)
        {
            notations.append(codes)
            position += 2
        }
        guard !notations.isEmpty else { return nil }
        let isListed = notations.allSatisfy { $0.contains(currency.code) }
        let minorUnits = isListed ? PriceNumber.minorUnits(number, exponent: currency.exponent) : nil
        return (Amount(number: number, isListedCurrency: isListed, minorUnits: minorUnits), position)
    }

    /// In "2 $92" the sign belongs to the number behind it.
    private static func startsAmount(_ tokens: [Token], from position: Int) -> Bool {
        if case .number? = element(tokens, position) { true } else { false }
    }

    private static func startsAmount(_ tokens: [Token], after position: Int) -> Bool {
        if case .space? = element(tokens, position) { return startsAmount(tokens, from: position + 1) }
        return startsAmount(tokens, from: position)
    }

    private static func startsSmallWord(_ tokens: [Token], after position: Int) -> Bool {
        var next = position
        if case .space? = element(tokens, next) { next += 1 }
        if case .word(let word)? = element(tokens, next) { return word.first?.isLowercase == true }
        return false
    }

    private static func element(_ tokens: [Token], _ position: Int) -> Token? {
        tokens.indices.contains(position) ? tokens[position] : nil
    }

    /// The second number of "$80–95".
    private static func rangeEnd(
        _ tokens: [Token],
        from start: Int,
        after first: Amount,
        currency: Currency
    ) -> (amount: Int?, end: Int)? {
        var position = start
        if case .space? = element(tokens, position) { position += 1 }
        guard isDash(tokens, position) else { return nil }
        position += 1
        if case .space? = element(tokens, position) { position += 1 }
        guard case .number(let number)? = element(tokens, position), first.isListedCurrency, let low = first.minorUnits,
            let high = PriceNumber.minorUnits(number, exponent: currency.exponent), high > low
        else { return nil }
        return (high, position + 1)
    }

    private static func isDash(_ tokens: [Token], _ position: Int) -> Bool {
        if case .mark(let mark)? = element(tokens, position) { ["-", "–", "—"].contains(mark) } else { false }
    }

    /// A currency's sign, code or name.
    private static func notation(
        _ tokens: [Token],
        from position: Int,
        _ currency: Currency,
        isBeforeNumber: Bool
    ) -> (codes: Set<String>, end: Int)? {
        switch element(tokens, position) {
        case .mark(let mark)?:
            return CurrencyNotation.codes(ofSign: mark).map { ($0, position + 1) }
        case .word(let word)?:
            if case .mark("$")? = element(tokens, position + 1),
                let code = CurrencyNotation.dollarPrefixes[word.lowercased()]
            {
                return ([code], position + 2)
            }
            let found = CurrencyNotation.codes(ofWord: word, listed: currency, isBeforeNumber: isBeforeNumber)
            guard let codes = found else { return nil }
            // "Rs. 2,500", "Fr. 45", "40 kr. pr. person"; before a capital the dot ends a sentence.
            if case .mark(".")? = element(tokens, position + 1), word.count <= 3,
                isBeforeNumber
                    ? startsAmount(tokens, after: position + 2) : startsSmallWord(tokens, after: position + 2)
            {
                return (codes, position + 2)
            }
            return (codes, position + 1)
        default: return nil
        }
    }
}
