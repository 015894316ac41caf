import HTTPClient
import KnotDomain
import Recommendation
import Testing

@testable import ItemPages

/// What a page says in data for machines, where it speaks of more than one thing, price or moment.
@Suite("What a page's data say")
struct PageOffersTests {
    private static let today = CivilDate(year: 2_026, month: 5, day: 5)

    private func reading(_ page: String, title: String = "Teapot", price: Int? = 2_500) -> PageReading {
        let address = (try? HTTPURL("https://shop.example/products/teapot")).map { [$0] } ?? []
        let item = PageItem(title: title, urls: address, priceCents: price, currency: .usd, today: Self.today)
        return PageReading(Array(page.utf8), of: item)
    }

    private static func page(_ scripts: String..., body: String = "") -> String {
        let data = scripts.map { "<script type=\"application/ld+json\">\($0)</script>" }.joined()
        return "<html><head><title>Teapot | Shop</title>\(data)</head><body><h1>Teapot</h1>\(body)</body></html>"
    }

    private static func offer(_ state: String = "InStock", _ price: String = "25.00", more: String = "") -> String {
        #"{"@type":"Offer","availability":"https://schema.org/\#(state)","price":"\#(price)","priceCurrency":"USD"\#(more)}"#
    }

    private static func product(_ offers: String, _ name: String = "Teapot", more: String = "") -> String {
        #"{"@context":"https://schema.org","@type":"Product","name":"\#(name)","offers":\#(offers)\#(more)}"#
    }

    private static func event(_ more: String, _ offers: String = offer()) -> String {
        #"{"@type":"MusicEvent","name":"Teapot","offers":\#(offers),\#(more)}"#
    }

    // MARK: Events and days

    @Test func `of a cancelled or past event outweigh tickets that are still offered`() {
        #expect(
            reading(Self.page(Self.event(#""eventStatus":"https://schema.org/EventCancelled""#))).signal == .outOfStock
        )
        #expect(reading(Self.page(Self.event(#""eventStatus":"cancelled""#))).signal == .outOfStock)
        let past = #""startDate":"2024-01-01T20:00:00-05:00","endDate":"2024-01-01T23:00:00-05:00""#
        #expect(reading(Self.page(Self.event(past))).signal == .outOfStock)
        #expect(reading(Self.page(Self.event(#""startDate":"2024-01-01""#))).signal == .outOfStock)
        #expect(reading(Self.page(Self.event(#""startDate":"2026-05-04","endDate":"2026-05-09""#))).signal == .inStock)
        // Where it is still the day before.
        #expect(reading(Self.page(Self.event(#""endDate":"2026-05-04T23:30:00-08:00""#))).signal == .inStock)
    }

    @Test
    func `of a postponed event say nothing where tickets are sold all the same, and that it is gone where none are`() {
        let postponed = #""eventStatus":"schema:EventPostponed""#
        #expect(reading(Self.page(Self.event(postponed), body: "<button>Buy tickets</button>")).kind == .unclear)
        #expect(reading(Self.page(Self.event(postponed, Self.offer("SoldOut")))).signal == .outOfStock)
    }

    @Test(arguments: ["validThrough", "availabilityEnds"])
    func `of an offer that is over say nothing, and its words decide`(name: String) {
        let offer = Self.offer(more: #","\#(name)":"2024-01-01T00:00:00Z""#)
        #expect(reading(Self.page(Self.product(offer))).kind == .unclear)
        #expect(reading(Self.page(Self.product(offer), body: "<button>Add to cart</button>")).signal == .inStock)
        let open = Self.offer(more: #","\#(name)":"2027-01-01""#)
        #expect(reading(Self.page(Self.product(open))).signal == .inStock)
    }

    @Test func `have no price that held until a day that is over`() {
        let offer = Self.offer("InStock", "95.00", more: #","priceValidUntil":"2025-12-31""#)
        #expect(reading(Self.page(Self.product(offer))).price == .notLooked)
        #expect(reading(Self.page(Self.product(offer))).signal == .inStock)
    }

    // MARK: Several prices

    @Test func `of several prices keep the listed one where it is among them`() {
        let range = #"{"@type":"AggregateOffer","lowPrice":"5.00","highPrice":"80.00","priceCurrency":"USD"}"#
        #expect(reading(Self.page(Self.product(range))).price == .minorUnits(2_500))
        let list = "[\(Self.offer("InStock", "5.00")),\(Self.offer()),\(Self.offer("InStock", "80.00"))]"
        #expect(reading(Self.page(Self.product(list))).price == .minorUnits(2_500))
        let nested =
            #"{"@type":"AggregateOffer","lowPrice":"5","highPrice":"80","priceCurrency":"USD","offers":\#(list)}"#
        #expect(reading(Self.page(Self.product(nested))).price == .minorUnits(2_500))
        // Among others, and none of them: nobody knows which of them it was. All above it: it is dearer at least.
        let others = "[\(Self.offer("InStock", "5.00")),\(Self.offer("InStock", "80.00"))]"
        #expect(reading(Self.page(Self.product(others))).price == .notLooked)
        #expect(reading(Self.page(Self.product(others)), price: 400).price == .minorUnits(500))
        #expect(reading(Self.page(Self.product(others)), price: nil).price == .between(500, 8_000))
        #expect(reading(Self.page(Self.product(range)), price: nil).price == .between(500, 8_000))
        let least = range.replacing(#","highPrice":"80.00""#, with: "")
        #expect(reading(Self.page(Self.product(least)), price: nil).price == .between(500, nil))
        #expect(reading(Self.page(Self.product(least)), price: 400).price == .minorUnits(500))
    }

    @Test func `have the price of a specification, unless it is one that nobody is asked`() {
        func offer(_ specifications: String) -> String {
            #"{"@type":"Offer","availability":"InStock","priceSpecification":\#(specifications)}"#
        }
        let plain = #"{"@type":"UnitPriceSpecification","price":"95.00","priceCurrency":"USD"}"#
        let struck = #"{"price":"120.00","priceCurrency":"USD","priceType":"https://schema.org/ListPrice"}"#
        let unit = #"{"price":"3.00","priceCurrency":"USD","referenceQuantity":{"value":"100","unitCode":"GRM"}}"#
        #expect(reading(Self.page(Self.product(offer(plain)))).price == .minorUnits(9_500))
        #expect(reading(Self.page(Self.product(offer("[\(struck),\(unit),\(plain)]")))).price == .minorUnits(9_500))
        #expect(reading(Self.page(Self.product(offer(struck)))).price == .notLooked)
    }

    @Test func `have the price that everybody is asked, and not that of members or without tax`() {
        func part(_ price: String, _ more: String) -> String {
            #"{"@type":"UnitPriceSpecification","price":"\#(price)","priceCurrency":"USD"\#(more)}"#
        }
        func offer(_ parts: String...) -> String {
            #"{"@type":"Offer","availability":"InStock","priceSpecification":[\#(parts.joined(separator: ","))]}"#
        }
        let member = part("20.00", #","validForMemberTier":{"@type":"MemberProgramTier","name":"Gold"}"#)
        let net = part("21.01", #","valueAddedTaxIncluded":false"#)
        let gross = part("25.00", #","valueAddedTaxIncluded":"true""#)
        let plain = part("25.00", "")
        for parts in [offer(member, plain), offer(plain, member), offer(net, gross), offer(gross, net)] {
            #expect(reading(Self.page(Self.product(parts))).price == .minorUnits(2_500), "\(parts)")
        }
        // Where nobody adds a tax, a price without one is the price.
        #expect(reading(Self.page(Self.product(offer(net)))).price == .minorUnits(2_101))
        #expect(reading(Self.page(Self.product(offer(member)))).price == .notLooked)
        let members = Self.offer("InStock", "20.00", more: #","validForMemberTier":{"name":"Gold"}"#)
        #expect(reading(Self.page(Self.product("[\(members),\(Self.offer())]"))).price == .minorUnits(2_500))
    }

    @Test(
        arguments: [
            #""@type":"DeliveryChargeSpecification""#, #""@type":"PaymentChargeSpecification""#,
            #""validFrom":"2026-05-06""#, #""eligibleQuantity":{"@type":"QuantitativeValue","minValue":10}"#,
            #""billingDuration":12,"billingIncrement":1,"unitCode":"MON""#,
            #""priceComponentType":"https://schema.org/Installment""#,
        ]
    )
    func `have no price that is asked for something else, of another day, or of whoever takes many`(more: String) {
        func part(_ price: String, _ more: String) -> String {
            #"{"price":"\#(price)","priceCurrency":"USD",\#(more)}"#
        }
        func offer(_ parts: String...) -> String {
            #"{"@type":"Offer","availability":"InStock","priceSpecification":[\#(parts.joined(separator: ","))]}"#
        }
        let asked = [
            #""@type":"UnitPriceSpecification""#, #""@type":"CompoundPriceSpecification""#,
            #""validFrom":"2026-05-05""#,
            #""eligibleQuantity":{"minValue":"1"}"#, #""billingDuration":null"#, #""priceComponentType":"SalePrice""#,
        ]
        for other in asked {
            let parts = [part("5.00", more), part("60.00", other)]
            #expect(reading(Self.page(Self.product(offer(parts[0], parts[1])))).price == .minorUnits(6_000), "\(other)")
            #expect(reading(Self.page(Self.product(offer(parts[1], parts[0])))).price == .minorUnits(6_000), "\(other)")
        }
        #expect(reading(Self.page(Self.product(offer(part("5.00", more))))).price == .notLooked)
        let whole = Self.offer("InStock", "5.00", more: "," + more)
        guard !more.contains("@type") else { return }
        #expect(reading(Self.page(Self.product(whole))).price == .notLooked)
        #expect(reading(Self.page(Self.product("[\(whole),\(Self.offer())]"))).price == .minorUnits(2_500))
    }

    @Test func `have the price in the page's own currency, whatever was listed`() {
        let euros = #"{"@type":"Offer","price":"900.00","priceCurrency":"eur"}"#
        let page = Self.page(Self.product(euros))
        #expect(reading(page, price: nil).price == .minorUnits(90_000))
        #expect(reading(page, price: nil).currency == Currency("EUR"))
        // Also where the listing was in another: the listed price is not what is asked now.
        #expect(reading(page).price == .minorUnits(90_000) && reading(page).currency == Currency("EUR"))
        let part = #"{"@type":"Offer","priceSpecification":{"price":"900","priceCurrency":"JPY"}}"#
        #expect(reading(Self.page(Self.product(part)), price: nil).price == .minorUnits(900))
        let meta =
            "<meta property='product:price:amount' content=900><meta property='product:price:currency' content=EUR>"
        #expect(reading(meta, price: nil).currency == Currency("EUR"))
        // In the one that is asked for, or in several of which nobody knows which is meant.
        let both = Self.page(Self.product("[\(euros),\(Self.offer())]"))
        #expect(reading(both, price: nil).price == .minorUnits(2_500) && reading(both, price: nil).currency == nil)
        let pounds = euros.replacing("eur", with: "GBP")
        #expect(reading(Self.page(Self.product("[\(euros),\(pounds)]")), price: nil).price == .notLooked)
        #expect(reading(Self.page(Self.product(euros.replacing("eur", with: "QQ"))), price: nil).price == .notLooked)
    }

    @Test func `of something that is lent or taken are no sale of it`() {
        for function in ["http://purl.org/goodrelations/v1#LeaseOut", "gr:Buy"] {
            let lent = Self.offer("InStock", "5.00", more: #","businessFunction":"\#(function)""#)
            #expect(reading(Self.page(Self.product(lent))).price == .notLooked)
            let page = Self.page(Self.product("[\(lent),\(Self.offer("SoldOut"))]"))
            #expect(reading(page).signal == .outOfStock && reading(page).price == .minorUnits(2_500))
        }
        let sold = Self.offer("InStock", "60.00", more: #","businessFunction":"http://purl.org/goodrelations/v1#Sell""#)
        #expect(reading(Self.page(Self.product(sold))).price == .minorUnits(6_000))
    }

    @Test func `of Open Graph have the price of a sale before the one that it had`() {
        let meta = ["price:amount\" content=\"54.99", "price:currency\" content=\"USD"]
        let sale = ["sale_price:amount\" content=\"44.99", "sale_price:currency\" content=\"USD"]
        func page(_ names: [String]) -> String { names.map { "<meta property=\"product:\($0)\">" }.joined() }
        #expect(reading(page(meta + sale)).price == .minorUnits(4_499))
        #expect(reading(page(sale + meta)).price == .minorUnits(4_499))
        #expect(reading(page(meta)).price == .minorUnits(5_499))
        #expect(reading(page(meta + [sale[0]])).price == .minorUnits(4_499))
        #expect(reading(page(meta + ["sale_price:amount\" content=\"from"])).price == .minorUnits(5_499))
        func dates(_ start: String, _ end: String) -> [String] {
            ["sale_price_dates:start\" content=\"\(start)", "sale_price_dates:end\" content=\"\(end)"]
        }
        let days = [
            ("2026-05-01", "2026-05-05T23:59:59-04:00"), ("2026-05-06", "2026-05-09"), ("2026-04-01", "2026-05-04"),
        ]
        let prices = days.map { reading(page(meta + sale + dates($0, $1))).price }
        #expect(prices == [.minorUnits(4_499), .minorUnits(5_499), .minorUnits(5_499)])
    }

    /// What is dearer than anything would neither fit a budget nor be a sum that can be converted.
    @Test func `have no price beyond all measure`() {
        for price in ["92233720368547758.07", "99999999999999999999", "20000000000.00"] {
            #expect(reading(Self.page(Self.product(Self.offer("InStock", price)))).price == .unknown)
        }
    }

    @Test func `are of the new thing where used ones are offered beside it`() {
        let used = Self.offer("InStock", "16.00", more: #","itemCondition":"https://schema.org/UsedCondition""#)
        let page = Self.page(Self.product("[\(used),\(Self.offer("OutOfStock"))]"))
        #expect(reading(page).signal == .outOfStock)
    }

    // MARK: Several things

    @Test func `are those of the item, whatever else stands on its page`() {
        let other = Self.product(Self.offer("InStock", "9.00"), "Milk jug")
        let gone = Self.product(Self.offer("SoldOut"))
        #expect(reading(Self.page(gone, other)).signal == .outOfStock)
        #expect(reading(Self.page(other, gone)).price == .minorUnits(2_500))
        // By its address, whatever it is called.
        let own = Self.product(Self.offer("SoldOut"), "The Brown Betty", more: #","url":"/products/teapot?ref=1""#)
        #expect(reading(Self.page(other, own)).signal == .outOfStock)
        let graph = #"{"@graph":[{"@type":"WebPage"},\#(gone),\#(other)]}"#
        #expect(reading(Self.page(graph)).signal == .outOfStock)
    }

    @Test func `say nothing where there are several things and none is the item`() {
        let first = Self.product(Self.offer("SoldOut"), "Milk jug")
        let second = Self.product(Self.offer("InStock", "9.00"), "Sugar bowl")
        #expect(reading(Self.page(first, second)).signal == .none)
        let third = Self.product(Self.offer("SoldOut", "7.00"), "Tea strainer")
        for page in [Self.page(first, third), Self.page(first)] {
            #expect(reading(page).kind == .item && reading(page).signal == .none && reading(page).price == .notLooked)
        }
    }

    @Test func `say nothing of lists, menus, extras and what a house offers besides`() {
        let soldOut = Self.product(Self.offer("SoldOut", "99.00"), "Milk jug")
        let list = #"{"@type":"ItemList","itemListElement":[{"@type":"ListItem","item":\#(soldOut)}]}"#
        #expect(reading(Self.page(list, Self.product(Self.offer()))).signal == .inStock)
        #expect(reading(Self.page(list)).signal == .none)
        let menu = #"{"@type":"MenuItem","name":"Oysters","offers":\#(Self.offer("SoldOut", "2.50"))}"#
        let house = #"{"@type":"Restaurant","name":"Teapot","hasMenu":{"@type":"Menu","hasMenuItem":[\#(menu)]}}"#
        #expect(reading(Self.page(house)).signal == .none && reading(Self.page(house)).price == .notLooked)
        let extra = Self.offer("InStock", more: #","addOn":\#(Self.offer("SoldOut", "3.00"))"#)
        #expect(reading(Self.page(Self.product(extra))).signal == .inStock)
        func offered(_ name: String, _ price: String) -> String {
            Self.offer("InStock", price, more: #","itemOffered":{"@type":"Service","name":"\#(name)"}"#)
        }
        let spa =
            #"{"@type":"DaySpa","name":"Spa","makesOffer":[\#(offered("Brows", "9")),\#(offered("Teapot", "40"))]}"#
        #expect(reading(Self.page(spa)).price == .minorUnits(4_000))
    }

    @Test func `are read from microdata as it is nested, without what is related`() {
        func marked(_ name: String, _ price: String, _ state: String, _ around: String = "") -> String {
            """
            <div \(around) itemscope itemtype="https://schema.org/Product"><h2 itemprop="name">\(name)</h2>
            <div itemprop="offers" itemscope itemtype="https://schema.org/Offer"><span itemprop="price">\(price)</span>
            <meta itemprop="priceCurrency" content="USD"><link itemprop="availability" href="https://schema.org/\(state)">
            </div></div>
            """
        }
        let body = marked("Milk jug", "99.00", "InStock") + marked("Teapot", "25.00", "OutOfStock")
        #expect(reading(Self.page(body: body)).signal == .outOfStock)
        #expect(reading(Self.page(body: body)).price == .minorUnits(2_500))
        let related = marked("", "99.00", "SoldOut", "class=related-products") + marked("", "25.00", "InStock")
        #expect(reading(Self.page(body: related)).signal == .inStock)
        #expect(reading(Self.page(body: related)).price == .minorUnits(2_500))
    }

    // MARK: How they are written

    @Test(
        arguments: [
            "//<![CDATA[\n%\n//]]>", "<!--%-->", "\u{FEFF}%", "%;", #"%{"@type":"BreadcrumbList"}"#,
            #"[{"@type":"Thing","description":"line"# + "\n" + #"break","name":"a","name":"half \ud83d"},%,]"#,
        ]
    )
    func `are read with the slips that shops leave in them`(wrapping: String) {
        let page = Self.page(wrapping.replacing("%", with: Self.product(Self.offer("OutOfStock"))))
        #expect(reading(page).signal == .outOfStock)
    }

    @Test(arguments: [
        "schema:OutOfStock", "http://schema.org/OutOfStock/", "https://schema.org#OutOfStock", "Out of stock",
    ])
    func `have their vocabulary in every spelling`(state: String) {
        let offer = #"{"@type":"schema:Offer","schema:availability":"\#(state)"}"#
        #expect(reading(Self.page(#"{"@type":"schema:Product","schema:offers":\#(offer)}"#)).signal == .outOfStock)
        #expect(
            reading(
                Self.page(
                    #"{"@type":"Product","http://schema.org/offers":{"@type":"Offer","availability":{"@id":"\#(state)"}}}"#
                )
            )
            .signal == .outOfStock
        )
    }

    @Test func `that nobody can read and that tell of something gone leave the page unclear`() {
        let whole = Self.page(Self.product(Self.offer("OutOfStock")))
        #expect(reading(String(whole.dropLast(70))).kind == .unclear)
        #expect(
            reading(Self.page("{\"@type\":\"Product\",\"offers\":{\"availability\":\"OutOfStock\" oops}}")).kind
                == .unclear
        )
        #expect(reading(Self.page("{oops}")).signal == .none)
    }

    @Test func `are read in letters of two bytes, and words in letters that nobody knows are none`() {
        let page = Self.page(Self.product(Self.offer("OutOfStock")))
        let item = PageItem(title: "Teapot", currency: .usd, today: Self.today)
        func wide(_ isBig: Bool) -> [UInt8] {
            page.utf16.flatMap { unit in
                let bytes = [UInt8(unit >> 8), UInt8(unit & 0xFF)]
                return isBig ? bytes : bytes.reversed()
            }
        }
        for bytes in [[0xFF, 0xFE] + wide(false), [0xFE, 0xFF] + wide(true), wide(false), wide(true)] {
            #expect(PageReading(bytes, of: item).signal == .outOfStock)
        }
        let odd: [UInt8] = Array("<title>x</title><p>".utf8) + [0xC7, 0xB0, 0xC0, 0xFD] + Array("</p>".utf8)
        let header = "text/html; charset=x-user-defined"
        #expect(PageReading(odd, contentType: header, of: item).kind == .unclear)
        #expect(PageReading(odd + Array("<p>sold out".utf8), contentType: header, of: item).signal == .outOfStock)
    }
}
