import KnotDomain
import Recommendation

/// The phrases of a query, parted into interests, for which services have categories, and words to search for.
struct AskedPhrases {
    /// In the order of the query, each once.
    private(set) var interests: [KnownInterest] = []
    /// Clean and bounded, in the order of the query.
    private(set) var words: [String] = []

    /// More phrases than these are never read: services are asked few good questions.
    private static let mostRead = 64

    init(_ query: ProviderQuery, limit: Int) {
        for phrase in query.phrases.prefix(Self.mostRead) {
            let clean = BoundaryText.clean(phrase, limit: limit)
            guard clean.contains(where: { $0.isLetter || $0.isNumber }) else { continue }
            if let interest = Interest(clean).known {
                if !interests.contains(interest) { interests.append(interest) }
            } else if !words.contains(clean) {
                words.append(clean)
            }
        }
    }

    /// The words to search for, then the interests by their names, for services that know no categories.
    var all: [String] { words + interests.map { $0.rawValue.lowercased() } }
}

/// What countries have to do with services: their money, and the English that is read there.
enum CountryTable {
    /// Country, currency, the locale of Yelp for English there, and Amazon's store.
    private static let rows = """
        AE AED - www.amazon.ae
        AR ARS - -
        AT EUR - www.amazon.de
        AU AUD en_AU www.amazon.com.au
        BE EUR en_BE www.amazon.com.be
        BR BRL - www.amazon.com.br
        CA CAD en_CA www.amazon.ca
        CH CHF en_CH www.amazon.de
        CL CLP - -
        CZ CZK - -
        DE EUR - www.amazon.de
        DK DKK - -
        EG EGP - www.amazon.eg
        ES EUR - www.amazon.es
        FI EUR - -
        FR EUR - www.amazon.fr
        GB GBP en_GB www.amazon.co.uk
        GR EUR - -
        HK HKD en_HK -
        HU HUF - -
        IE EUR en_IE www.amazon.ie
        IN INR - www.amazon.in
        IT EUR - www.amazon.it
        JP JPY - www.amazon.co.jp
        KR KRW - -
        MX MXN - www.amazon.com.mx
        MY MYR en_MY -
        NL EUR - www.amazon.nl
        NO NOK - -
        NZ NZD en_NZ -
        PH PHP en_PH -
        PL PLN - www.amazon.pl
        PT EUR - -
        SA SAR - www.amazon.sa
        SE SEK - www.amazon.se
        SG SGD en_SG www.amazon.sg
        TR TRY - www.amazon.com.tr
        TW TWD - -
        US USD en_US www.amazon.com
        """

    private struct Row {
        let currency: Currency
        let locale: String?
        let store: String?
    }

    private static let byCountry: [String: Row] = {
        var table: [String: Row] = [:]
        for line in rows.split(separator: "\n") {
            let fields = line.split(separator: " ").map(String.init)
            guard fields.count == 4, let currency = Currency(fields[1]) else {
                preconditionFailure("the row of a country has four fields: \(line)")
            }
            table[fields[0]] = Row(
                currency: currency,
                locale: fields[2] == "-" ? nil : fields[2],
                store: fields[3] == "-" ? nil : fields[3]
            )
        }
        return table
    }()

    static var countries: [String] { byCountry.keys.sorted() }

    static func currency(of country: String?) -> Currency? { country.flatMap { byCountry[$0.uppercased()]?.currency } }

    static func yelpLocale(of country: String?) -> String? { country.flatMap { byCountry[$0.uppercased()]?.locale } }

    /// The money of an Amazon store, by its host.
    static func currency(ofStore store: String) -> Currency? {
        byCountry.keys.sorted().lazy.compactMap { byCountry[$0] }.first { $0.store == store && $0.currency != chf }?
            .currency
    }

    private static let chf = Currency("CHF")

    /// The country whose money this is; nil where several share it.
    static func country(of currency: Currency) -> String? {
        let found = byCountry.filter { $0.value.currency == currency }
        return found.count == 1 ? found.keys.first : nil
    }
}
