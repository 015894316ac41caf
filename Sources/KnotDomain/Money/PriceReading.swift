/// How often a listed price is paid by two people, as the texts beside it say.
///
/// A price counts twice only where a text gives an explicit amount per head that equals it, with a currency or without, or
/// says that the price shown is per head. Where twice such an amount equals it, or a text says that it is for two, it is the
/// total already. "For two" alone decides nothing. A fee that a text asks besides is paid once.
package struct PriceReading: Hashable, Sendable {
    /// What decided.
    package enum Basis: Hashable, Sendable {
        /// No text says otherwise.
        case listed
        /// An amount per head equals the listed price, or the price shown is said to be per head.
        case perHead
        /// Twice an amount per head equals the listed price.
        case twicePerHead
        /// A text says that the price is for two.
        case forTwo
    }

    /// 2 when the listed price is for one of the two, else 1.
    package let party: Int
    package let basis: Basis
    /// The fees that the texts ask besides the price, in minor units.
    package let fee: Int
    private let listed: Int

    /// Reads the title, the description and whatever else the provider says about the price.
    package init(listed: Int, currency: Currency, texts: [String]) {
        self.listed = listed
        var perHead: Set<Int> = []
        var (isForTwo, saysPerHead) = (false, false)
        var fee = 0
        for text in texts {
            let elements = PriceText(text, currency: currency).elements
            let phrases = PricePhrases(elements)
            perHead.formUnion(phrases.amountsPerHead)
            if phrases.repeatsPerHead(listed, currency) { perHead.insert(listed) }
            saysPerHead = saysPerHead || phrases.saysPerHead
            isForTwo = isForTwo || phrases.saysForTwo(listed)
            fee = max(fee, PriceFees(elements).total(below: listed))
        }
        self.fee = fee
        let isPerHead = listed > 0 && (perHead.contains(listed) || saysPerHead && perHead.isEmpty)
        let isTwice = listed > 0 && listed % 2 == 0 && perHead.contains(listed / 2)
        basis = isForTwo ? .forTwo : isPerHead ? .perHead : isTwice ? .twicePerHead : .listed
        party = basis == .perHead ? 2 : 1
    }

    /// What two people pay, in minor units.
    package var total: Int { total(at: listed) }

    /// What two people pay when the same offer has this price now; it stops at the largest number.
    package func total(at price: Int) -> Int {
        Self.total(of: party, at: price, besides: fee)
    }

    /// So many times a price, and a fee besides; it stops at the largest number.
    package static func total(of party: Int, at price: Int, besides fee: Int) -> Int {
        let (product, overflows) = price.multipliedReportingOverflow(by: party)
        let (sum, exceeds) = product.addingReportingOverflow(fee)
        return overflows || exceeds ? .max : sum
    }
}

/// The words that say whom an amount is for.
enum PriceWords {
    /// May stand between an amount and what it is for.
    static let fillers: Set<String> = [
        "only", "just", "plus", "tax", "taxes", "vat", "gst", "hst", "incl", "including", "inc", "included", "excl",
        "tip", "gratuity", "service", "fees", "ca", "net", "nett",
    ]
    static let fillerMarks: Set<Unicode.Scalar> = ["(", ")", "[", "/", "-", "–", "—", ":", ",", "+", "*", "~", "="]

    static let pers: Set<String> = [
        "per", "pro", "par", "por", "à", "je", "pr", "za", "na", "pe", "kişi", "mỗi", "с", "за", "на", "з",
    ]

    /// Short words that may come right before a price without a currency: "at 85 per person".
    static let beforeNumbers: Set<String> = ["at", "is", "of", "to", "by", "so", "or", "&", "à", "ab", "je", "de"]

    /// One of the people who come, or the place one of them takes.
    static let heads: Set<String> = [
        "person", "head", "guest", "adult", "diner", "participant", "attendee", "ticket", "seat", "place", "spot",
        "cover", "pax", "player", "student", "traveler", "traveller", "rider", "runner", "visitor", "individual",
        "pers", "pp", "persona", "personne", "persoon", "pessoa", "kopf", "kop", "tête", "人", "名", "名様",
        "cabeza", "cabeça", "osobę", "osobe", "osoba", "osobu", "os", "fő", "személy", "persoană", "başı", "başına",
        "kişi",
        "orang", "người", "คน", "인", "명", "человека", "человек", "чел", "особу", "особи", "особа", "henkilö", "hlö",
    ]
    static let articleHeads: Set<String> = ["head", "person", "guest", "ticket", "seat", "pop", "place", "persona"]
    static let shorthands: Set<String> = ["pp", "pppn", "apiece", "一人", "お一人様", "一名様", "személyenként"]
    /// Behind a "1" without a space: "1人", "1인당".
    static let counted: Set<String> = ["人", "名", "名様", "인", "명", "인당", "명당"]

    /// Make something else of the head before them: a guest room, a seat cover, a place setting.
    static let units: Set<String> = [
        "room", "rooms", "couple", "couples", "pair", "cover", "setting", "settings", "table", "booth", "bundle",
        "pack",
        "start",
    ]

    /// Behind "each" these say when, where or what with, but not each what.
    static let eachFollowers: Set<String> = [
        "for", "and", "or", "at", "on", "in", "with", "plus", "including", "includes", "incl", "inc", "covers", "gets",
        "buys", "when", "if", "from", "per", "all", "to", "via", "online", "only", "except", "while", "until", "before",
        "after", "under", "tax", "taxes", "vat", "not", "no", "but", "as", "by", "booked", "payable", "available",
        "inclusive", "excluding", "so", "because", "minimum", "paid", "please", "unless", "then",
    ]

    static let pairs: Set<String> = ["pair", "couple", "duo"]
    static let people: Set<String> = [
        "people", "persons", "guests", "adults", "diners", "participants", "attendees", "tickets", "seats", "places",
        "spots", "covers", "players", "students", "travelers", "travellers", "riders", "runners", "visitors",
        "partners", "entries", "admissions",
    ]
    static let prices: Set<String> = [
        "price", "prices", "priced", "pricing", "cost", "costs", "rate", "fee", "fare", "total", "charge", "amount",
    ]
    /// Names of the price that is listed.
    static let listedPrices: Set<String> = [
        "price", "prices", "pricing", "preis", "preise", "prix", "precio", "precios", "prezzo", "prezzi", "prijs",
        "preço",
    ]
    /// Words between such a name and "per person".
    static let perHeadLinks: Set<String> = [
        "is", "are", "shown", "listed", "given", "quoted", "displayed", "ist", "sind", "gilt", "gelten", "versteht",
        "verstehen", "sich", "est", "sont", "indiqué", "es", "son", "è", "sono", "é", "indicato", "indicado",
        "mostrado",
        "above", "here", "all",
    ]
    static let copulas: Set<String> = [
        "is", "are", "shown", "listed", "given", "quoted", "here", "the", "as", "a", "already", "good", "price", "of",
    ]
    static let beforePairLinks: Set<String> = [
        "is", "total", "in", "altogether", "ticket", "price", "admission", "entry",
    ]
    static let pairLinks: Set<String> = [
        "for", "per", "covers", "cover", "covering", "includes", "include", "including", "admits", "buys", "gets",
    ]
}
