package import JSONDocument

extension Budget {
    /// Reads one tier's budget and notes every problem; nil when there was one.
    package init?(reading reader: JSONReader) {
        let minimum = reader.required("min_cents")?.minorUnits()
        let maximum = reader.required("max_cents")?.minorUnits()
        let currency = reader.required("currency")?.currency()
        guard let minimum, let maximum, let currency else { return nil }
        guard minimum <= maximum else {
            reader.note("min_cents \(minimum) is greater than max_cents \(maximum)")
            return nil
        }
        self.init(minimum: minimum, maximum: maximum, currency: currency)
    }

    package var json: JSONValue {
        ["min_cents": .integer(minimum), "max_cents": .integer(maximum), "currency": .string(currency.code)]
    }
}
