import Catalogue
import KnotDomain

/// An offer to be found, by its words and, where it has a vector, by its meaning.
public struct IndexedOffer: Sendable {
    /// What is found.
    public let offer: Offer
    /// What a model makes of the offer's text; nil where it is found by words alone.
    public let vector: MeaningVector?

    /// An offer with its vector, where it has one.
    public init(_ offer: Offer, vector: MeaningVector? = nil) {
        self.offer = offer
        self.vector = vector
    }
}

/// What a model makes of a text; vectors of one model alone are compared.
public struct MeaningVector: Sendable {
    /// 1 to 768 finite numbers, not all of them 0; all vectors of an index have equally many.
    public let values: [Float]
    /// The name of the model.
    public let model: String

    /// The numbers that a model of that name made.
    public init(_ values: [Float], model: String) {
        self.values = values
        self.model = model
    }
}

/// What is wished for, in words and, where somebody has embedded it, as a vector of the offers' model.
public struct SearchPhrase: Sendable {
    /// Words such as "garden kneeler".
    public let text: String
    /// Nil where words alone are compared.
    public let vector: MeaningVector?

    /// A phrase with its vector, where it has one.
    public init(_ text: String, vector: MeaningVector? = nil) {
        self.text = text
        self.vector = vector
    }
}

/// What an index is searched for.
public struct OfferSearch: Sendable {
    /// 1 to 64 phrases, the most wanted first: the first counts up to twice as much as the last.
    public var phrases: [SearchPhrase]
    /// What may be found at all.
    public var filter: OfferFilter
    /// The most offers that are found, from 1 to 1,000.
    public var limit: Int

    /// Everything that is found may be shown where there is no filter.
    public init(_ phrases: [SearchPhrase], filter: OfferFilter = OfferFilter(), limit: Int = 20) {
        self.phrases = phrases
        self.filter = filter
        self.limit = limit
    }
}

/// What may be found; it is held to before anything is compared, so that the best that may be found are found.
public struct OfferFilter: Hashable, Sendable {
    /// What an offer is.
    public enum Kind: String, CaseIterable, Sendable {
        case gift
        case experience
        case date
    }

    /// What two people may pay together: the listed price, twice where the offer's texts say that it is per head.
    public struct Window: Hashable, Sendable {
        /// In the currency's smallest unit, as offers have their prices: 3000 of JPY are 3000 yen.
        public let cents: ClosedRange<Int>
        /// Three letters; what costs another currency is not found.
        public let currency: String

        /// A window in a currency.
        public init(_ cents: ClosedRange<Int>, currency: String) {
            self.cents = cents
            self.currency = currency
        }
    }

    /// Nil for all.
    public var kinds: Set<Kind>?
    /// The names of providers; nil for all.
    public var providers: Set<String>?
    /// Nil for any price; an offer that does not say its price is found whatever the window.
    public var total: Window?
    /// Nil for any; an offer that does not say how long it takes is found.
    public var mostShippingDays: Int?

    /// Lets everything pass but what is told here.
    public init(
        kinds: Set<Kind>? = nil,
        providers: Set<String>? = nil,
        total: Window? = nil,
        mostShippingDays: Int? = nil
    ) {
        self.kinds = kinds
        self.providers = providers
        self.total = total
        self.mostShippingDays = mostShippingDays
    }
}

extension OfferFilter {
    /// The same for a catalogue with offers of these providers.
    func catalogueFilter(of everybody: [ProviderName], _ place: String) throws(RecommenderError) -> CatalogueFilter {
        var filter = CatalogueFilter()
        if kinds != nil || providers != nil {
            let types = Set(CandidateType.allCases.filter { type in kinds?.contains { $0.type == type } ?? true })
            let names = everybody.filter { providers?.contains($0.rawValue) ?? true }
            filter.types = Dictionary(uniqueKeysWithValues: names.map { ($0, types) })
        }
        if let total {
            guard let currency = Currency(total.currency) else {
                throw RecommenderError(
                    .search,
                    "\(place).filter.total.currency: \"\(total.currency)\" is none; give three letters such as USD"
                )
            }
            // No amount is below 0, so nothing with a price in another currency passes.
            filter.totals = { $0 == currency ? total.cents : -1 ... -1 }
        }
        filter.mostShippingDays = mostShippingDays
        return filter
    }
}

extension OfferFilter.Kind {
    var type: CandidateType {
        switch self {
        case .gift: .gift
        case .experience: .experience
        case .date: .date
        }
    }
}

/// An offer that a search found.
public struct OfferHit: Sendable {
    /// What was found.
    public let offer: Offer
    /// From 0 to 1, the better the nearer to 1; comparable within one search.
    public let score: Double
    /// Whether it shares words with a phrase.
    public let isFoundByWords: Bool
    /// Whether it is among the nearest to a phrase by meaning.
    public let isFoundByMeaning: Bool
}
