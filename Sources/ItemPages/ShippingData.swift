import JSONDocument

/// How many days an offer takes to each country, as its page says in schema.org's words.
///
/// A promise counts only where it is complete: what has no unit, a negative or an endless time, or a beginning after its
/// end says nothing, and no part of it is believed.
struct ShippingData {
    /// By the country's two letters, "" where no country is named; where a page says several, the quickest.
    private(set) var days: [String: Int] = [:]

    /// The longest promise that is one.
    static let mostDays = 365
    /// Entries and countries of one offer that are looked at; shops list regions one by one.
    private static let mostEntries = 100

    /// Takes what one offer says.
    mutating func take(_ offer: JSONValue) {
        for details in Self.objects(offer["shippingDetails"]) {
            guard details["doesNotShip"] == nil || details["doesNotShip"] == .bool(false) else { continue }
            guard let promise = Self.objects(details["deliveryTime"]).lazy.compactMap(Self.promise).first else {
                continue
            }
            for country in Self.countries(details["shippingDestination"]) { take(promise, to: country) }
        }
        if let days = Self.objects(offer["deliveryLeadTime"]).lazy.compactMap(Self.longest).first {
            take(days, to: "")
        }
    }

    private mutating func take(_ promise: Int, to country: String) {
        guard days[country] != nil || days.count < Self.mostEntries else { return }
        days[country] = min(promise, days[country] ?? promise)
    }

    /// Handling and transit together; handling need not be said, transit must be.
    private static func promise(_ time: JSONValue) -> Int? {
        guard let transit = time["transitTime"].flatMap(longest) else { return nil }
        guard let handling = time["handlingTime"], handling != .null else { return transit }
        guard let days = longest(handling), days + transit <= mostDays else { return nil }
        return days + transit
    }

    /// The longest that a quantity says, in whole days.
    private static func longest(_ quantity: JSONValue) -> Int? {
        let quantity = objects(quantity).first ?? .null
        guard let unit = hours(quantity["unitCode"]?.text ?? quantity["unitText"]?.text ?? "") else { return nil }
        func read(_ name: String) -> Result<Double, Unreadable>? {
            guard let value = quantity[name], value != .null else { return nil }
            guard let number = value.measure, (0...Double(mostDays)).contains(number * unit / 24) else {
                return .failure(Unreadable())
            }
            return .success(number * unit / 24)
        }
        guard let said = read("maxValue") ?? read("value"), case .success(let longest) = said else { return nil }
        switch read("minValue") {
        case .failure: return nil
        case .success(let least) where least > longest: return nil
        default: return Int(longest.rounded(.up))
        }
    }

    /// A number that is there and says nothing.
    private struct Unreadable: Error {}

    /// Hours of a unit by its UN/CEFACT code, or by its name.
    private static func hours(_ unit: String) -> Double? {
        switch unit.lowercased() {
        case "day", "days", "d": 24
        case "wee", "week", "weeks": 168
        case "hur", "hour", "hours", "h": 1
        default: nil
        }
    }

    /// The countries of a destination in capitals; "" alone where none is named, none where none is understood.
    private static func countries(_ destination: JSONValue?) -> [String] {
        guard let destination, destination != .null else { return [""] }
        return objects(destination).flatMap { region -> [String] in
            guard let country = region["addressCountry"], country != .null else { return [] }
            let names = country.array ?? [country]
            return names.prefix(mostEntries).compactMap { name in
                let code = (name.string ?? name["name"]?.string ?? "").uppercased()
                return code.utf8.count == 2 && code.utf8.allSatisfy { (0x41...0x5A).contains($0) } ? code : nil
            }
        }
    }

    /// A thing, or the things of a list; whatever is none is left out.
    private static func objects(_ value: JSONValue?) -> [JSONValue] {
        (value?.array?.prefix(mostEntries).map { $0 } ?? value.map { [$0] } ?? []).filter { $0.object != nil }
    }
}
