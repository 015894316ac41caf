import KnotDomain
import Recommendation
import TestSupport
import Testing

@testable import ItemPages

/// What a page says in words alone, as a careful reader takes it.
@Suite("What a page's words say")
struct PageWordsTests {
    private func reading(_ body: String, title: String = "Rosa", of name: String = "Rosa bowl") -> PageReading {
        let page = "<html><head><title>\(title)</title></head><body><h1>\(title)</h1>\(body)</body></html>"
        let today = CivilDate(year: 2_026, month: 5, day: 5)
        return PageReading(Array(page.utf8), of: PageItem(title: name, currency: .usd, today: today))
    }

    @Test(
        arguments: [
            "<p>Good news: not sold out yet, a few left.</p>", "<p>Our classic is never out of stock.</p>",
            "<p>It isn't sold out.</p>", "<p>Nie ausverkauft!</p>", "<p hidden>Sold out</p>",
            "<div style='display: none'>Sold out</div>", "<textarea>sold out</textarea>", "<nav>Sold out</nav>",
            "<p>Des visiteurs épuisés.</p>", "<p>Stoklar tükendiğinde haber verilir.</p>",
        ]
    )
    func `are no word of what is denied, hidden, another word, or said of the shop`(body: String) {
        #expect(reading(body).kind == .item && reading(body).signal == .none, "\(body)")
    }

    @Test(
        arguments: [
            "<p>After 40 sold out shows in 2025 the band returns. Reserve your seats.</p>",
            "<p>If an item is sold out, we refund you.</p>", "<p>We sold out in 2019!</p>",
            "<p>Our New Year's Eve dinner is sold out. Tables for any other evening can be reserved.</p>",
            "<p>We discontinued plastic packaging.</p><p>Milk jug: sold out</p>",
            "<select><option>Blue - sold out</select>",
            "<p>A clasp that keeps the lid closed for good storage.</p>", "<p>Is Rosa permanently closed?</p>",
            "<span class=\"badge hidden\">Sold out</span>",
        ]
    )
    func `leave it open where they are said of another thing or time, on a condition, or as a question`(body: String) {
        #expect(reading(body).kind == .unclear, "\(body)")
        #expect(reading(body + "<button>Add to cart</button>").signal == .inStock, "\(body)")
    }

    @Test(
        arguments: [
            "<p class=stock>Sold out</p><button disabled>Add to cart</button>",
            "<button aria-disabled=true>Add to cart</button><p>Rosa is currently <b>sold&shy;-</b>out</p>",
            "<nav><a>Find tickets</a></nav><h2>This event is cancelled</h2><p>Event cancelled. Refunds follow.</p>",
            "<p>SOLD OUT</p><h2>You may also like</h2><div>Other <button>Add to cart</button></div>",
            "<header><a>Book now</a></header><p>This event has ended.</p>", "<p>TÜKENDİ</p>", "<p>Sold&#8203; out</p>",
            "<p>Size M $25.00</p><p>Leider ist dieser Artikel ausverkauft</p>",
        ]
    )
    func `that something is gone are not outweighed by what leads elsewhere or cannot be pressed`(body: String) {
        let page = body.replacing("sold&shy;-</b>out", with: "sold</b>-out")
        #expect(reading(page).signal == .outOfStock, "\(page)")
    }

    @Test func `of a title are no button, and those that do not go together say nothing`() {
        #expect(reading("<p>This event has ended.</p>", title: "Buy tickets for Rosa Live").signal == .outOfStock)
        #expect(reading("<p>Sold out</p><button>Add to cart</button>").kind == .unclear)
        #expect(reading("<p>Rosa is permanently closed.</p><button>Book now</button>").kind == .unclear)
        let moved = "<p>Our Main Street shop has closed its doors; we now sell here.</p><button>Add to cart</button>"
        #expect(reading(moved).signal == .inStock)
        #expect(
            reading("<p>In stock</p><select><option>Blue - sold out</select><button>Buy it now</button>").signal
                == .inStock
        )
    }

    @Test(arguments: ["Paradise Not Found: A Novel", "Error 404: Costume Not Found T-Shirt"])
    func `of a name say nothing of the page`(title: String) {
        let body = "<p>Paperback</p><button>Add to cart</button>"
        #expect(reading(body, title: title, of: title).signal == .inStock)
        // Also where the shop has another name for it.
        #expect(reading(body, title: title).kind == .item)
        #expect(reading("<p>Paperback</p>", title: title).kind == .unclear)
        #expect(reading("<p>x</p>", title: "Just a Moment: A Novel", of: "Just a Moment").kind == .item)
        #expect(reading("<p>x</p>", title: "Sold Out: A Novel", of: "Sold Out").signal == .none)
    }

    @Test(
        arguments: [
            ("We'll be right back", "Our store is closed for maintenance. This shop is currently unavailable."),
            ("Create an Ecommerce Website", "<h2>Sorry, this shop is currently unavailable.</h2>"),
            ("Sorry! Something went wrong!", ""), ("Oops!", "We could not find the page you were looking for."),
            ("Opening soon", "Enter using password"), ("rosa.example is for sale", "Buy this domain. Buy now"),
        ]
    )
    func `of a shop that is closed are no word of its items`(title: String, body: String) {
        #expect(reading(body, title: title).kind == .unclear)
    }

    @Test func `of a captcha are a wall wherever they stand`() {
        let page = """
            <title>Amazon.com</title><h4>Enter the characters you see below</h4><p>Sorry, we just need to make sure
            you're not a robot.</p><form action="/errors/validateCaptcha"></form>
            """
        #expect(PageReading(Array(page.utf8), currency: .usd).kind == .wall)
    }

    /// Characters that belong together, and elements that never end: what takes a page to tell is not told for each place.
    @Test(
        arguments: [
            "🇩🇪", "👩\u{200D}", "a\u{301}", "\u{1100}\u{1161}\u{11A8}", "İ", "<h1>", "<title>", "<!--", "<a b=\"", "&#x1",
            "<p itemscope itemprop=offers>", "sold out ", "<li>", "</p>", "not found|", "<script type=ld+json>{\"a\":",
        ]
    )
    func `are read in time with the page, whatever it is made of`(piece: String) {
        func time(_ bytes: Int) -> Duration {
            let page = Array(("<h1>x</h1><p>" + String(repeating: piece, count: bytes / piece.utf8.count)).utf8)
            return ThreadTime.measure { _ = PageReading(page, currency: .usd) }
        }
        _ = time(1_000)
        let short = (0..<3).map { _ in time(8 << 10) }.min() ?? .zero
        let long = (0..<3).map { _ in time(32 << 10) }.min() ?? .zero
        // Four times the page: far from the sixteen times of what looks at each place of it from each.
        #expect(long < short * 10 + .milliseconds(20), "\(short) and \(long)")
    }
}
