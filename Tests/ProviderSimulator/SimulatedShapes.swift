import Fixtures
import JSONDocument
import KnotDomain
import LoopbackServer

/// What the simulated services have.
struct SimulatedShelf: Sendable {
    let fixture: Fixture
    let zone: ZoneRules
    /// The store whose money the vault's is.
    let store: String

    private static let stores = [
        "USD": "www.amazon.com", "CAD": "www.amazon.ca", "GBP": "www.amazon.co.uk", "EUR": "www.amazon.de",
        "JPY": "www.amazon.co.jp", "AUD": "www.amazon.com.au", "MXN": "www.amazon.com.mx", "CHF": "www.amazon.de",
    ]

    init(_ fixture: Fixture) {
        self.fixture = fixture
        zone = ZoneDirectory().rules(named: fixture.vault.timeZone) ?? .utc
        let currency = fixture.vault.budgets.values.first?.currency.code ?? "USD"
        store = Self.stores[currency] ?? "www.amazon.com"
    }

    /// The same shelf, whose offers lead to pages of these shops, in turn.
    func leading(to shops: [String]) -> SimulatedShelf {
        let candidates = fixture.candidates.enumerated().map { place, candidate in
            let url = "\(shops[place % shops.count])/page/\(candidate.id.text)"
            return Candidate(
                id: candidate.id,
                provider: candidate.provider,
                type: candidate.type,
                title: candidate.title,
                description: candidate.description,
                url: url,
                imageURL: candidate.imageURL,
                priceCents: candidate.priceCents,
                currency: candidate.currency,
                merchant: candidate.merchant,
                location: candidate.location,
                startsAt: candidate.startsAt,
                rating: candidate.rating,
                reviewCount: candidate.reviewCount,
                shipsInDays: candidate.shipsInDays,
                tags: candidate.tags
            )
        }
        return SimulatedShelf(
            Fixture(
                name: fixture.name,
                story: fixture.story,
                asOf: fixture.asOf,
                request: fixture.request,
                vault: fixture.vault,
                candidates: CandidateList(candidates),
                facts: fixture.facts,
                judgments: fixture.judgments
            )
        )
    }

    /// A provider's own candidates, those that share most words with the query first, else in the fixture's order.
    func best(_ provider: ProviderName, _ query: String, _ limit: Int) -> [Candidate] {
        let wanted = Self.words(query)
        let own = fixture.candidates.filter { $0.provider == provider }
        let ranked = own.enumerated().map { place, candidate in
            let words = Self.words(
                ([candidate.title, candidate.description ?? ""] + candidate.tags).joined(separator: " ")
            )
            return (shared: words.intersection(wanted).count, place: place, candidate: candidate)
        }
        return ranked.sorted { ($1.shared, $0.place) < ($0.shared, $1.place) }.prefix(limit).map(\.candidate)
    }

    private static func words(_ text: String) -> Set<String> {
        Set(text.lowercased().split { !$0.isLetter && !$0.isNumber }.map(String.init))
    }

    func fact(_ candidate: Candidate) -> AvailabilityFact? { fixture.facts[candidate.id] }

    func isInStock(_ candidate: Candidate) -> Bool { fact(candidate)?.check != .soldOut }

    /// The page of an offer, as a shop writes it.
    func page(_ id: String) -> LoopbackReply {
        guard let candidate = fixture.candidates.first(where: { $0.id.text == id }), let fact = fact(candidate) else {
            return .html("<html><h1>Not found</h1></html>", status: 404)
        }
        switch fact.check {
        case .gone: return .html("<html><h1>Not found</h1></html>", status: 404)
        case .blocked: return .html("<html>Are you a robot?</html>", status: 403)
        case .available, .soldOut, .closed, .priceChanged: break
        }
        let amount = fact.check == .priceChanged ? fact.checkedPriceCents : candidate.priceCents
        var offer: [JSONObject.Member] = [
            .init(name: "@type", value: "Offer"),
            .init(
                name: "availability",
                value: .string("https://schema.org/" + (fact.check == .soldOut ? "OutOfStock" : "InStock"))
            ),
            .init(name: "priceCurrency", value: .string(candidate.currency.code)),
        ]
        if let amount { offer.append(.init(name: "price", value: SimulatedShapes.major(amount, candidate.currency))) }
        if let details = SimulatedShapes.shipping(candidate, to: fixture.vault.location?.country) {
            offer.append(.init(name: "shippingDetails", value: details))
        }
        let product: JSONValue = [
            "@context": "https://schema.org", "@type": "Product", "name": .string(candidate.title),
            "offers": .object(JSONObject(offer)),
        ]
        let closed = fact.check == .closed ? "<p>Permanently closed</p>" : ""
        return .html(
            "<html><head><script type=\"application/ld+json\">\(JSONWriter.text(product))</script></head>"
                + "<body>\(closed)</body></html>"
        )
    }
}

/// Candidates in the services' own shapes; what a shape has no place for is lost.
enum SimulatedShapes {
    /// When a parcel arrives, as shops write it for search engines: a day to pack it, and the rest on its way.
    static func shipping(_ candidate: Candidate, to country: String?) -> JSONValue? {
        guard let days = candidate.shipsInDays else { return nil }
        func time(_ days: Int) -> JSONValue {
            ["@type": "QuantitativeValue", "minValue": 0, "maxValue": .integer(days), "unitCode": "DAY"]
        }
        var details: [JSONObject.Member] = [
            .init(name: "@type", value: "OfferShippingDetails"),
            .init(
                name: "deliveryTime",
                value: [
                    "@type": "ShippingDeliveryTime", "handlingTime": time(min(1, days)),
                    "transitTime": time(days - min(1, days)),
                ]
            ),
        ]
        if let country {
            let region: JSONValue = ["@type": "DefinedRegion", "addressCountry": .string(country)]
            details.append(.init(name: "shippingDestination", value: region))
        }
        return .object(JSONObject(details))
    }

    /// Without description, price, day and delivery: Yelp's businesses have none.
    static func business(_ candidate: Candidate) -> JSONValue {
        let id = candidate.id.text
        return [
            "id": .string(id + String(repeating: "_", count: max(0, 22 - id.utf8.count))),
            "alias": .string(id), "name": .string(candidate.title), "url": .string(candidate.url),
            "image_url": .string(candidate.imageURL ?? ""), "is_closed": false,
            "review_count": JSONValue(candidate.reviewCount), "rating": JSONValue(candidate.rating),
            "categories": .array(
                candidate.tags.map { tag in
                    ["alias": .string(tag.lowercased().filter { $0 != " " && $0 != "&" }), "title": .string(tag)]
                }
            ),
            "transactions": [], "location": location(candidate.location),
        ]
    }

    private static func location(_ place: Place?) -> JSONValue {
        [
            "address1": "", "address2": .null, "city": JSONValue(place?.city), "state": JSONValue(place?.state),
            "country": JSONValue(place?.country), "display_address": [],
        ]
    }

    private static let segments = [
        "music": "KZFzniwnSyZfZ7v7nJ", "sports": "KZFzniwnSyZfZ7v7nE", "arts & theatre": "KZFzniwnSyZfZ7v7na",
        "theatre": "KZFzniwnSyZfZ7v7na", "theater": "KZFzniwnSyZfZ7v7na", "arts": "KZFzniwnSyZfZ7v7na",
        "film": "KZFzniwnSyZfZ7v7nn",
    ]

    /// Without price, stars and reviews.
    static func event(_ candidate: Candidate, _ shelf: SimulatedShelf) -> JSONValue {
        let id = candidate.id.text
        let local = candidate.startsAt.map { shelf.zone.local(at: $0) }
        let names = candidate.tags + ["Undefined", "Undefined"]
        let segment = segments[names[0].lowercased()] ?? "KZFzniwnSyZfZ7v7n1"
        let time = local.map { "\($0)".split(separator: "T").last.map(String.init) ?? "" }
        return [
            "id": .string(id + String(repeating: "-", count: max(0, 16 - id.utf8.count))), "test": false,
            "name": .string(candidate.title), "url": .string(candidate.url), "info": JSONValue(candidate.description),
            "dates": [
                "start": [
                    "localDate": JSONValue(local?.date.description), "localTime": JSONValue(time),
                    "dateTime": JSONValue(candidate.startsAt?.iso8601), "timeTBA": false, "noSpecificTime": false,
                ],
                "timezone": .string(shelf.fixture.vault.timeZone),
                "status": ["code": shelf.isInStock(candidate) ? "onsale" : "offsale"],
            ],
            "classifications": [
                [
                    "primary": true, "segment": ["id": .string(segment), "name": .string(names[0])],
                    "genre": ["name": .string(names[1])],
                ]
            ],
            "promoter": ["name": JSONValue(candidate.merchant)],
            "_embedded": [
                "venues": [
                    [
                        "name": JSONValue(candidate.merchant), "timezone": .string(shelf.fixture.vault.timeZone),
                        "city": ["name": JSONValue(candidate.location?.city)],
                        "state": ["stateCode": JSONValue(candidate.location?.state)],
                        "country": ["countryCode": JSONValue(candidate.location?.country)],
                    ]
                ]
            ],
        ]
    }

    static func item(_ candidate: Candidate, _ shelf: SimulatedShelf) -> JSONValue {
        let days = candidate.shipsInDays.map { "Usually ships within \($0) days" } ?? "In Stock"
        let price: JSONValue =
            candidate.priceCents.map { amount in
                ["money": ["amount": major(amount, candidate.currency), "currency": .string(candidate.currency.code)]]
            } ?? .null
        return [
            "asin": .string(candidate.id.text), "detailPageURL": .string(candidate.url),
            "itemInfo": [
                "title": ["displayValue": .string(candidate.title)],
                "features": ["displayValues": JSONValue([candidate.description].compactMap { $0 })],
            ],
            "offersV2": [
                "listings": [
                    [
                        "availability": [
                            "type": shelf.isInStock(candidate) ? "IN_STOCK" : "OUT_OF_STOCK", "message": .string(days),
                        ],
                        "condition": ["value": "New"], "isBuyBoxWinner": true, "type": .null,
                        "merchantInfo": ["name": JSONValue(candidate.merchant)], "price": price, "violatesMAP": false,
                    ]
                ]
            ],
            "customerReviews": [
                "count": JSONValue(candidate.reviewCount), "starRating": ["value": JSONValue(candidate.rating)],
            ],
            "browseNodeInfo": ["browseNodes": .array(candidate.tags.map { ["displayName": .string($0)] })],
        ]
    }

    /// Without delivery.
    static func product(_ candidate: Candidate, _ shelf: SimulatedShelf) -> JSONValue {
        let price: JSONValue = [
            "amount": JSONValue(candidate.priceCents), "currency": .string(candidate.currency.code),
        ]
        return [
            "id": .string("gid://shopify/p/\(candidate.id.text)"), "title": .string(candidate.title),
            "description": ["plain": JSONValue(candidate.description)], "url": .string(candidate.url),
            "categories": .array(candidate.tags.map { ["value": .string($0), "taxonomy": "merchant"] }),
            "media": [],
            "variants": [
                [
                    "id": "gid://shopify/ProductVariant/1", "title": "Default", "price": price,
                    "availability": ["available": .bool(shelf.isInStock(candidate))],
                    "seller": ["name": JSONValue(candidate.merchant), "links": []],
                ]
            ],
            "rating": [
                "value": JSONValue(candidate.rating), "scale_max": 5, "count": JSONValue(candidate.reviewCount),
            ],
        ]
    }

    /// A product in the search of a shop's pages: its price is a text without a currency, its address begins at the shop.
    static func suggestion(_ candidate: Candidate, _ shelf: SimulatedShelf) -> JSONValue {
        let price = candidate.priceCents.flatMap { major($0, candidate.currency).double }
        return [
            "id": .string(candidate.id.text), "title": .string(candidate.title),
            "body": JSONValue(candidate.description), "url": .string("/products/\(candidate.id.text)?_pos=1"),
            "price": JSONValue(price.map { "\($0)" }), "available": .bool(shelf.isInStock(candidate)),
            "vendor": JSONValue(candidate.merchant),
        ]
    }

    /// A page that was found, and what it sells where it was read; without tags but one.
    static func webPage(_ candidate: Candidate, _ shelf: SimulatedShelf, isRead: Bool) -> JSONValue {
        var page = JSONObject([
            .init(name: "url", value: .string(candidate.url)), .init(name: "title", value: .string(candidate.title)),
            .init(name: "description", value: JSONValue(candidate.description)),
        ])
        guard isRead else { return .object(page) }
        let price: JSONValue =
            candidate.priceCents.map { amount in
                ["amount": major(amount, candidate.currency), "currency": .string(candidate.currency.code)]
            } ?? .null
        page["product"] = [
            "title": .string(candidate.title), "description": JSONValue(candidate.description),
            "url": .string(candidate.url), "category": JSONValue(candidate.tags.first),
            "variants": [["availability": ["inStock": .bool(shelf.isInStock(candidate))], "price": price]],
        ]
        page["json"] = [
            "city": JSONValue(candidate.location?.city), "region": JSONValue(candidate.location?.state),
            "country": JSONValue(candidate.location?.country), "starts_at": JSONValue(candidate.startsAt?.iso8601),
            "delivery_days": JSONValue(candidate.shipsInDays), "rating": JSONValue(candidate.rating),
            "review_count": JSONValue(candidate.reviewCount),
        ]
        page["metadata"] = [
            "statusCode": 200, "url": .string(candidate.url), "ogSiteName": JSONValue(candidate.merchant),
        ]
        return .object(page)
    }

    /// An amount in the currency's major unit, as these services write numbers.
    static func major(_ minorUnits: Int, _ currency: Currency) -> JSONValue {
        let text = Money(minorUnits, currency).description.split(separator: " ").last.map(String.init) ?? "0"
        return .number(Double(text) ?? 0)
    }
}
