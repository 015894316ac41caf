package import JSONDocument

/// Exchange rates of one day: how many units of each currency one unit of the base buys.
package struct Rates: Hashable, Sendable {
    package let asOf: CivilDate
    package let base: Currency
    /// Where they come from, for the result: a file's name, or "embedded".
    package let source: String
    private let rates: [Currency: ExactRate]

    /// Nil unless every rate is a positive, finite number.
    package init?(asOf: CivilDate, base: Currency, perBase: [Currency: Double], source: String) {
        var rates: [Currency: ExactRate] = [:]
        for (currency, rate) in perBase {
            guard let exact = ExactRate(rate) else { return nil }
            rates[currency] = exact
        }
        if rates[base] == nil { rates[base] = ExactRate(1) }
        self.asOf = asOf
        self.base = base
        self.source = source
        self.rates = rates
    }

    private init(asOf: CivilDate, base: Currency, rates: [Currency: ExactRate], source: String) {
        self.asOf = asOf
        self.base = base
        self.rates = rates
        self.source = source
    }

    /// The copy built into the program.
    package static let embedded: Rates = {
        let figures: [String: Double] = [
            "USD": 1, "GBP": 0.752, "EUR": 0.862, "CAD": 1.389, "JPY": 150, "AUD": 1.53, "MXN": 17.9, "CHF": 0.795,
        ]
        var rates: [Currency: ExactRate] = [:]
        for (code, rate) in figures { rates[Currency(known: code)] = ExactRate(rate) }
        // 20 454 is 2026-01-01.
        return Rates(asOf: CivilDate(daysSinceEpoch: 20_454), base: .usd, rates: rates, source: "embedded")
    }()

    /// The listed currencies, in order of their codes.
    package var currencies: [Currency] { rates.keys.sorted() }

    /// How many units of it one unit of the base buys.
    package func perBase(_ currency: Currency) -> Double? { rates[currency]?.value }

    /// The amount in another currency's minor units, halves to even.
    ///
    /// Nil when a currency is not listed or the amount does not fit; the same currency needs no rate.
    package func convert(_ minorUnits: Int, from: Currency, to: Currency) -> Int? {
        if from == to { return minorUnits }
        guard let source = rates[from], let target = rates[to] else { return nil }
        let power = target.exponent - source.exponent + to.exponent - from.exponent
        var dividend = Int128(minorUnits) * Int128(target.digits)
        var divisor = Int128(source.digits)
        for _ in 0..<power.magnitude {
            let (product, overflows) = (power > 0 ? dividend : divisor).multipliedReportingOverflow(by: 10)
            if overflows { return nil }
            if power > 0 { dividend = product } else { divisor = product }
        }
        return Self.dividedHalfToEven(dividend, by: divisor)
    }

    private static func dividedHalfToEven(_ dividend: Int128, by divisor: Int128) -> Int? {
        let (quotient, remainder) = dividend.magnitude.quotientAndRemainder(dividingBy: divisor.magnitude)
        let rest = divisor.magnitude - remainder
        let isUp = remainder > rest || remainder == rest && quotient % 2 == 1
        guard let rounded = Int(exactly: quotient + (isUp ? 1 : 0)) else { return nil }
        return dividend < 0 ? -rounded : rounded
    }
}

extension Rates {
    /// Reads `knot.rates/1` and notes every problem; nil when there was one.
    package init?(reading reader: JSONReader, source: String) {
        let before = reader.problems.list.count
        reader.expectSchema("knot.rates/1")
        let asOf = reader.required("as_of")?.civilDate()
        let base = reader.required("base")?.currency()
        var rates: [Currency: ExactRate] = [:]
        let table = reader.required("per_base")
        if let table, table.value.object == nil { table.note("expected an object, found \(table.value.kindName)") }
        for member in table?.value.object?.members ?? [] {
            guard let currency = Currency(member.name) else {
                table?.note("is not a currency's code of three letters", at: member.name)
                continue
            }
            guard let rate = member.value.double, let exact = ExactRate(rate) else {
                table?.note("expected a number greater than 0", at: member.name)
                continue
            }
            if rates.updateValue(exact, forKey: currency) != nil { table?.note("is listed twice", at: member.name) }
        }
        if let base, let rate = rates[base], rate.value != 1 {
            table?.note("the base's own rate must be 1", at: base.code)
        }
        if let base, rates[base] == nil { rates[base] = ExactRate(1) }
        guard reader.problems.list.count == before, let asOf, let base else { return nil }
        self.init(asOf: asOf, base: base, rates: rates, source: source)
    }

    /// As `knot.rates/1`, its currencies in order of their codes.
    package var json: JSONValue {
        let table = currencies.map { JSONObject.Member(name: $0.code, value: JSONValue(perBase($0))) }
        return [
            "schema": "knot.rates/1", "as_of": .string(asOf.description), "base": .string(base.code),
            "per_base": .object(JSONObject(table)),
        ]
    }
}

/// A rate as the decimal number that was written, so that amounts convert without binary rounding.
struct ExactRate: Hashable, Sendable {
    /// The value is `digits` × 10 to the power of `exponent`.
    let digits: Int
    let exponent: Int
    let value: Double

    /// Nil unless the rate is a positive, finite number.
    init?(_ rate: Double) {
        guard rate.isFinite, rate > 0 else { return nil }
        // Swift describes a double by the shortest digits that read back the same: those that were written.
        let halves = rate.description.split(separator: "e")
        let parts = halves[0].split(separator: ".", omittingEmptySubsequences: false)
        let fraction = parts.count == 2 && parts[1] != "0" ? parts[1] : ""
        guard let digits = Int(parts[0] + fraction) else { return nil }
        self.digits = digits
        exponent = (halves.count == 2 ? Int(halves[1]) ?? 0 : 0) - fraction.count
        value = rate
    }
}
