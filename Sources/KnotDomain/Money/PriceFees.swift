/// The fees that a text asks besides the price: "flat shipping of $8.95", "plus a $4 booking fee".
///
/// Only a fee that every buyer pays counts. An optional one, one that is waived from an amount on, and one that the price
/// includes do not.
struct PriceFees {
    private let elements: [PriceText.Element]
    private typealias Words = FeeWords

    init(_ elements: [PriceText.Element]) {
        self.elements = elements
    }

    /// The sum of all fees for two that are less than the price, each kind once and at its least, in the listed currency.
    func total(below listed: Int) -> Int {
        var fees: [String: Int] = [:]
        for position in elements.indices {
            guard case .amount(let amount?) = elements[position], (1..<max(1, listed)).contains(amount),
                let (kind, isPerHead) = kind(before: position) ?? kind(behind: position)
            else { continue }
            let (fee, overflows) = amount.multipliedReportingOverflow(by: isPerHead ? 2 : 1)
            fees[kind] = min(fees[kind] ?? .max, overflows ? .max : fee)
        }
        return fees.values.reduce(0) { sum, fee in
            let (next, overflows) = sum.addingReportingOverflow(fee)
            return overflows ? .max : next
        }
    }

    private func word(_ position: Int) -> String? {
        if elements.indices.contains(position), case .word(let word) = elements[position] { word } else { nil }
    }

    private func mark(_ position: Int) -> Unicode.Scalar? {
        if elements.indices.contains(position), case .mark(let mark) = elements[position] { mark } else { nil }
    }

    /// "Flat shipping of $8.95", "booking fee: $4".
    private func kind(before amount: Int) -> (String, isPerHead: Bool)? {
        var position = amount - 1
        while let link = word(position), Words.links.contains(link) { position -= 1 }
        if mark(position) == ":" || mark(position) == "=" { position -= 1 }
        guard let (kind, start) = feeEnding(at: position), isAskedOfAll(from: start, to: amount) else { return nil }
        return (kind, isPerHead(amount + 1))
    }

    /// "$8.95 flat-rate shipping", "+ $4 booking fee per ticket".
    private func kind(behind amount: Int) -> (String, isPerHead: Bool)? {
        var position = amount + 1
        while word(position).map(Words.forms.contains) ?? (mark(position) == "-") { position += 1 }
        guard let first = word(position) else { return nil }
        // "Plus a $4 fee" is one of no kind.
        if Words.fees.contains(first), isAdded(amount - 1), isAskedOfAll(from: amount, to: position) {
            return (first, isPerHead(position + 1))
        }
        let end: Int
        if Words.sendings.contains(first) {
            end = word(position + 1).map(Words.sendingFees.contains) == true ? position + 1 : position
        } else if Words.charged.contains(first), word(position + 1).map(Words.fees.contains) == true {
            end = position + 1
        } else {
            return nil
        }
        guard isAskedOfAll(from: amount, to: end) else { return nil }
        return (Words.sendings.contains(first) ? Words.sending : first, isPerHead(end + 1))
    }

    private func isAdded(_ position: Int) -> Bool {
        let isArticle = word(position) == "a" || word(position) == "an"
        let place = isArticle ? position - 1 : position
        return word(place) == "plus" || mark(place) == "+"
    }

    /// A kind of fee whose words end there, with where they begin.
    private func feeEnding(at position: Int) -> (String, start: Int)? {
        guard let last = word(position) else { return nil }
        if Words.sendings.contains(last) { return (Words.sending, position) }
        guard Words.sendingFees.contains(last), let kind = word(position - 1) else { return nil }
        if Words.sendings.contains(kind) { return (Words.sending, position - 1) }
        return Words.charged.contains(kind) && Words.fees.contains(last) ? (kind, position - 1) : nil
    }

    /// Whether nothing around it says that some pay it only, or that it is in the price.
    private func isAskedOfAll(from start: Int, to end: Int) -> Bool {
        var before = start - 1
        var left = Words.near
        while left > 0, let word = word(before) {
            if Words.limits.contains(word) { return false }
            before -= 1
            left -= 1
        }
        var behind = end + 1
        left = Words.near
        while left > 0, let word = word(behind) {
            if Words.limitsBehind.contains(word) { return false }
            behind += 1
            left -= 1
        }
        return !(start...end).contains { word($0).map(Words.limits.contains) ?? false }
    }

    private func isPerHead(_ position: Int) -> Bool {
        word(position) == "each"
            || word(position) == "per" && word(position + 1).map(PriceWords.heads.contains) ?? false
    }
}

/// The words of fees.
private enum FeeWords {
    /// Words as near as that limit a fee.
    static let near = 4
    static let sending = "sending"
    static let sendings: Set<String> = ["shipping", "delivery", "postage", "versand", "versandkosten"]
    static let charged: Set<String> = [
        "booking", "service", "handling", "processing", "facility", "transaction", "order", "ticketing",
        "administration",
        "admin", "convenience",
    ]
    static let fees: Set<String> = ["fee", "fees", "charge", "charges"]
    static let sendingFees: Set<String> = fees.union(["cost", "costs", "rate"])
    static let links: Set<String> = ["of", "is", "at", "costs", "just", "only", "a", "an", "the", "flat"]
    static let forms: Set<String> = ["flat", "rate", "standard", "for"]
    /// Words before a fee that only some buyers pay.
    static let limits: Set<String> = [
        "free", "over", "above", "from", "optional", "express", "expedited", "overnight", "international", "no", "not",
        "includes", "include", "including", "incl", "included", "save", "under", "below", "or", "if", "without",
        "upgrade",
        "waived", "was", "next", "same", "rush", "priority", "until", "than",
    ]
    /// Words after a fee that only some buyers pay.
    static let limitsBehind: Set<String> = [
        "included", "free", "optional", "refunded", "refundable", "waived", "if", "unless", "outside", "abroad", "to",
        "international", "for", "over", "under", "or", "may",
    ]
}
