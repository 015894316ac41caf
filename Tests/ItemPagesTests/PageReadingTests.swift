import KnotDomain
import Recommendation
import TestSupport
import Testing

@testable import ItemPages

@Suite("What a page says")
struct PageReadingTests {
    private func reading(_ html: String, currency: Currency = .usd) -> PageReading {
        PageReading(Array(html.utf8), currency: currency)
    }

    private static func product(_ offer: String) -> String {
        """
        <html><head><title>Teapot</title><script type="application/ld+json">
        {"@context": "https://schema.org", "@type": "Product", "name": "Teapot", "offers": \(offer)}
        </script></head><body><h1>Teapot</h1><p>Others: sold out</p></body></html>
        """
    }

    @Test(
        arguments: [
            ("https://schema.org/OutOfStock", .outOfStock), ("http://schema.org/SoldOut", .outOfStock),
            ("Discontinued", .outOfStock), ("https://schema.org/InStock", .inStock), ("PreOrder", .inStock),
            ("https://schema.org/BackOrder", .inStock), ("LimitedAvailability", .inStock),
        ] as [(String, AvailabilityProbe.Signal)]
    )
    func `is taken from linked data before any word`(availability: String, signal: AvailabilityProbe.Signal) {
        let page = Self.product(
            #"{"@type": "Offer", "price": "24.50", "priceCurrency": "USD", "availability": "\#(availability)"}"#
        )
        #expect(reading(page).signal == signal)
        #expect(reading(page).price == .minorUnits(2_450))
    }

    @Test func `is in stock where one of several offers is`() {
        let page = Self.product(
            #"[{"@type":"Offer","availability":"OutOfStock"},{"@type":"Offer","availability":"InStock"}]"#
        )
        #expect(reading(page).signal == .inStock)
    }

    @Test func `has a price in the item's currency only, to the last cent`() {
        let yen = Self.product(#"{"@type": "Offer", "price": 3000, "priceCurrency": "JPY"}"#)
        #expect(reading(yen).price == .notLooked)
        #expect(reading(yen, currency: Currency("JPY") ?? .usd).price == .minorUnits(3_000))
        for (written, cents) in [("0.29", 29), ("1299.99", 129_999), ("19", 1_900)] {
            let page = Self.product(#"{"@type": "Offer", "price": "\#(written)", "priceCurrency": "USD"}"#)
            #expect(reading(page).price == .minorUnits(cents))
        }
        for odd in ["-5", "0", "null", #"""#, #"["#] {
            let offer = #"{"@type": "Offer", "price": \#(odd), "priceCurrency": "USD"}"#
            #expect(reading(Self.product(offer)).price == .notLooked, "\(odd)")
        }
    }

    @Test(
        arguments: [
            #""1,299.00""#, #""$1,299.00""#, #""1299,00""#, #""1.299,00""#, #""1 299,00""#, #""USD 1299""#,
            #""1299.00 USD""#, #"["1299.00"]"#, #"{"@value":"1299.00"}"#, #""1’299.00""#, #""1299.-""#, #""1299.000""#,
            #""1,299""#, "1299.00", "1299", #"{"@value":1299}"#,
        ]
    )
    func `has a price however it is written, as data and as the page's own marks`(price: String) {
        let offer = #"{"@type": "Offer", "price": \#(price), "priceCurrency": "USD"}"#
        #expect(reading(Self.product(offer)).price == .minorUnits(129_900))
        guard price.hasPrefix("\"") else { return }
        let marks = """
            <meta property="product:price:amount" content=\(price)><meta property="product:price:currency" content="USD">
            """
        #expect(reading(marks).price == .minorUnits(129_900))
        let marked = """
            <div itemscope itemtype="https://schema.org/Offer"><span itemprop="price">\(price.dropFirst().dropLast())</span>
            <meta itemprop="priceCurrency" content="USD"></div>
            """
        #expect(reading(marked).price == .minorUnits(129_900))
    }

    @Test(arguments: [#""free""#, #""from 1299""#, #""€1299""#, #""80-95""#, #"["12.00","15.00"]"#, #""1.299""#])
    func `does not know a price that is there and cannot be read`(price: String) {
        let offer = #"{"@type": "Offer", "price": \#(price), "priceCurrency": "USD"}"#
        #expect(reading(Self.product(offer)).price == .unknown)
        // Another offer says what was listed, so that this is not another price of it.
        let known = #"{"@type": "Offer", "price": "25.00", "priceCurrency": "USD"}"#
        let item = PageItem(priceCents: 2_500, currency: .usd)
        #expect(PageReading(Array(Self.product("[\(offer),\(known)]").utf8), of: item).price == .minorUnits(2_500))
    }

    @Test(
        arguments: [
            ("$45<sup>99</sup>", .minorUnits(4_599)), ("45<sup> 99</sup>", .unknown),
            ("45<sup>99</sup>", .minorUnits(4_599)),
            ("$1,234<sup>99</sup>", .minorUnits(123_499)), ("$45.<sup>99</sup>", .minorUnits(4_599)),
            ("<b>$</b>45<b>.99</b>", .minorUnits(4_599)), ("<span>$</span><span>45</span><span>99</span>", .unknown),
            ("<span>$45</span><span>.</span><span>99</span>", .minorUnits(4_599)), ("$45<sup>1</sup>", .unknown),
            ("$45,00<sup>10</sup>", .unknown), ("$45.00<sup>10</sup>", .unknown), ("$1.234<sup>99</sup>", .unknown),
            ("$45 99", .unknown), ("$1 234 567", .minorUnits(123_456_700)), ("$1234 567", .unknown),
            ("$1 234.50", .minorUnits(123_450)),
        ] as [(String, AvailabilityProbe.PriceFinding)]
    )
    func `takes raised digits for cents, and no space in a number but before three digits`(
        price: String,
        finding: AvailabilityProbe.PriceFinding
    ) {
        let marked = """
            <div itemscope itemtype="https://schema.org/Offer"><span itemprop="price">\(price)</span>
            <meta itemprop="priceCurrency" content="USD"></div>
            """
        #expect(reading(marked).price == finding)
    }

    @Test func `has the price of an offer that can be had, and of one that is sold out only where there is no other`() {
        let gone = #"{"@type":"Offer","availability":"SoldOut","price":"9.00","priceCurrency":"USD"}"#
        let there = #"{"@type":"Offer","availability":"InStock","price":"24.50","priceCurrency":"USD"}"#
        #expect(reading(Self.product("[\(gone), \(there)]")).price == .minorUnits(2_450))
        #expect(reading(Self.product("[\(gone)]")).price == .minorUnits(900))
    }

    /// A thousand euros and more to some, a little more than one to others; three digits are some currencies' coins.
    @Test func `has no price where nobody knows what its point means`() {
        let page = Self.product(#"{"@type": "Offer", "price": "1.299", "priceCurrency": "EUR"}"#)
        #expect(reading(page, currency: Currency("EUR") ?? .usd).price == .unknown)
        let dinars = Self.product(#"{"@type": "Offer", "price": "1.299", "priceCurrency": "KWD"}"#)
        #expect(reading(dinars, currency: Currency("KWD") ?? .usd).price == .minorUnits(1_299))
        let exact = Self.product(#"{"@type": "Offer", "price": "19.9900", "priceCurrency": "USD"}"#)
        #expect(reading(exact).price == .minorUnits(1_999))
    }

    @Test func `is not read from a tag that the page was cut in`() {
        let page = #"<meta itemprop="priceCurrency" content="USD"><meta itemprop="price" content="199.00">"#
        #expect(reading(page).price == .minorUnits(19_900))
        for length in 0..<page.utf8.count {
            #expect(reading(String(page.prefix(length))).price == .notLooked, "cut at \(length)")
        }
    }

    @Test func `says nothing where microdata contradicts itself`() {
        let gone = #"<link itemprop="availability" href="https://schema.org/OutOfStock">"#
        let there = #"<link itemprop="availability" href="https://schema.org/InStock">"#
        #expect(reading(gone + there).signal == .none)
        #expect(reading(gone + gone).signal == .outOfStock)
    }

    @Test(arguments: ["Event", "ScreeningEvent", "VisualArtsEvent", "https://schema.org/ChildrensEvent"])
    func `knows every kind of event`(type: String) {
        let page = """
            <script type="application/ld+json">{"@type":"\(type)","eventStatus":"EventCancelled"}</script>
            """
        #expect(reading(page).signal == .outOfStock)
    }

    @Test func `says nothing of the items beside its own`() {
        let page = """
            <script type="application/ld+json">{"@type": "Product", "name": "Teapot",
             "offers": {"@type": "Offer", "availability": "InStock"},
             "isRelatedTo": {"@type": "Product", "offers": {"@type": "Offer", "availability": "SoldOut",
             "price": "5.00", "priceCurrency": "USD"}}}</script>
            """
        #expect(reading(page).signal == .inStock)
        #expect(reading(page).price == .notLooked)
    }

    @Test func `is read from microdata and Open Graph too`() {
        #expect(reading(#"<link itemprop="availability" href="https://schema.org/SoldOut">"#).signal == .outOfStock)
        let graph = """
            <META content='in stock' property="product:availability">
            <meta property=product:price:amount content=12.00><meta property="product:price:currency" content="usd">
            """
        #expect(reading(graph).signal == .inStock)
        #expect(reading(graph).price == .minorUnits(1_200))
    }

    @Test func `counts a cancelled event as gone`() {
        let page =
            #"<script type="application/ld+json">{"@type":"MusicEvent","eventStatus":"https://schema.org/EventCancelled"}</script>"#
        #expect(reading(page).signal == .outOfStock)
    }

    @Test(arguments: PageWording.soldOut)
    func `is sold out by its words, in every language`(phrase: String) {
        #expect(reading("<h1>Teapot</h1><p>\(phrase.uppercased())</p>").signal == .outOfStock)
        #expect(reading("<h1>Teapot</h1><button>Add to cart</button><aside>\(phrase)</aside>").signal == .inStock)
        #expect(reading("<script>var t = '\(phrase)'</script><h1>Teapot</h1>").signal == .none)
    }

    @Test(arguments: PageWording.missing)
    func `is no item's page where its title or heading says that there is none`(phrase: String) {
        #expect(reading("<title>\(phrase) | Shop</title><p>Add to cart</p>").kind == .missing)
        #expect(reading("<title>Shop</title><h1> \(phrase)</h1>").kind == .missing)
        #expect(reading("<title>Teapot</title><p>\(phrase)</p>").kind == .item)
    }

    @Test(arguments: PageWording.walls)
    func `is a wall and no item where machines are kept out`(phrase: String) {
        #expect(reading("<title>\(phrase)...</title><p>sold out</p>").kind == .wall)
    }

    @Test func `is the item's where a shop has a captcha in its form`() {
        let form = "<form><div class=\"g-recaptcha-response\"></div></form>"
        #expect(reading("<title>shop</title>\(form)").kind == .wall)
        #expect(
            reading("<title>Teapot</title><p>\(String(repeating: "long words ", count: 300))</p>\(form)").kind == .item
        )
        #expect(reading(Self.product(#"{"@type": "Offer", "availability": "InStock"}"#) + form).kind == .item)
    }

    @Test func `is read in the letters of western Europe too, unless it says that it is in others`() {
        // ISO 8859-1: each letter is one byte.
        func western(_ text: String) -> [UInt8] { text.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) } }
        let page = "<title>Théière</title><p>Ce produit est épuisé</p>"
        #expect(PageReading(western(page), currency: .usd).signal == .outOfStock)
        #expect(PageReading(western("<title>Página no encontrada</title>"), currency: .usd).kind == .missing)
        #expect(PageReading(western(#"<meta charset="UTF-8">"# + page), currency: .usd).signal == .none)
        // Cut within its last letter it is still in UTF-8.
        let whole = Array((page + "é").utf8)
        #expect(PageReading(whole, currency: .usd).signal == .outOfStock)
        #expect(PageReading(whole.dropLast(), currency: .usd).signal == .outOfStock)
    }

    @Test(arguments: PageWording.closedForGood)
    func `is closed for good where the place says so`(phrase: String) {
        #expect(reading("<title>Cafe</title><p>We are \(phrase).</p>").signal == .permanentlyClosed)
    }

    @Test func `is read through references, comments and odd markup`() {
        let page = "<!-- sold out --><TITLE>T&amp;T</TITLE><p data-x=\"a > b\">nicht&nbsp;mehr\n <b>verf&uuml;gbar</b>"
        #expect(reading(page).signal == .outOfStock)
        #expect(reading("<p>1 < 2, sold&#32;out").signal == .outOfStock)
        #expect(PageText(Array("<title>T&amp;T &bogus; &#x110000; &".utf8)).title == "t&t &bogus; &#x110000; &")
    }

    /// Whatever comes, reading it ends, and soon: pieces that confuse readers, in any order, cut anywhere.
    @Test(arguments: [91, 92, 93] as [UInt64])
    func `never hangs or traps, whatever the bytes`(seed: UInt64) async {
        var random = SeededRandom(seed: seed)
        let pieces: [String] = [
            "<", ">", "</", "<!--", "-->", "<script type=\"application/ld+json\">", "</script>",
            "{\"@type\":\"Product\"", "[", "{",
            "<title>", "</title>", "<h1", "\"", "'", "=", "&", "&#", "&#x", ";", "\u{0}", "é", "<meta property=",
            "itemprop=price",
            " content=\"1\"", "sold out", "<svg>", "<style", "<!", "<a b='", "\n",
        ]
        for _ in 0..<300 {
            await Task.yield()
            var bytes = (0..<Int.random(in: 0...400, using: &random)).flatMap { _ in
                Array((pieces.randomElement(using: &random) ?? "").utf8)
            }
            for _ in 0..<Int.random(in: 0...20, using: &random) where !bytes.isEmpty {
                bytes[Int.random(in: bytes.indices, using: &random)] = UInt8.random(in: 0...255, using: &random)
            }
            _ = PageReading(bytes.prefix(16_384), currency: .usd)
        }
        for piece in pieces {
            _ = PageReading(
                Array(String(repeating: piece, count: 16_384 / max(1, piece.utf8.count)).utf8),
                currency: .usd
            )
        }
    }
}
