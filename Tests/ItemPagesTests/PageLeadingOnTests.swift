import HTTPClient
import KnotDomain
import Recommendation
import Testing

@testable import ItemPages

/// Pages that are not the item's although nothing redirects: those that lead on, and those that ask for something first.
@Suite("A page before the page")
struct PageLeadingOnTests {
    private func reading(_ html: String, _ title: String = "Copper Kettle") throws -> PageReading {
        let url = try HTTPURL("https://shop.example/products/kettle?ref=1")
        return PageReading(Array(html.utf8), of: PageItem(title: title, urls: [url], currency: .usd))
    }

    @Test(arguments: [
        "0; url=/", "0;url=https://shop.example/", "5; URL='/collections/all'", "3,url=\"/gone\"", "0.5; url=gone",
        " 0 ; url = https://other.example/products/kettle", "1;https://other.example/", "0; url=http://[::1]/",
    ])
    func `is none of the item where it leads elsewhere by itself`(content: String) throws {
        let quoted = content.replacing("\"", with: "&quot;")
        for body in ["", "<p>You will be taken there</p>", "<button>Add to cart</button>"] {
            let page = "<META content=\"\(quoted)\" HTTP-EQUIV=Refresh><title>Shop</title>\(body)"
            #expect(try reading(page).kind == .unclear, "\(page)")
        }
    }

    @Test(arguments: [
        "300", "30", "0; url=", "0; url=/products/kettle", "5; url=https://www.shop.example/products/kettle/?x=2",
        "x; url=/", "600; url=/", "",
    ])
    func `is the item's where it only comes again, or nobody is led anywhere`(content: String) throws {
        let page = "<meta http-equiv=refresh content=\"\(content)\"><title>Copper Kettle</title><p>Sold out</p>"
        #expect(try reading(page).signal == .outOfStock)
    }

    @Test func `is the item's where its data says so, wherever it leads then`() throws {
        let product = #"{"@type":"Product","offers":{"availability":"InStock"}}"#
        let data = "<script type='application/ld+json'>\(product)</script>"
        let page = "<meta http-equiv=refresh content=\"0; url=/\"><title>Copper Kettle</title>\(data)"
        #expect(try reading(page).signal == .inStock)
        // Where no script runs, somebody else is led away.
        let plain = "<title>Copper Kettle</title><noscript><meta http-equiv=refresh content=\"0; url=/\"></noscript>"
        #expect(try reading(plain).kind == .item)
    }

    @Test func `is none of the item where it shows nothing and a script leads on`() throws {
        #expect(try reading("<html><script>window.location.href = '/';</script></html>").kind == .unclear)
        #expect(try reading("<title>Copper Kettle</title><script>window.location.hash</script>").kind == .item)
    }

    @Test(arguments: PageWording.interstitials)
    func `asks for something first and is a wall, which no banner is on a page of the item`(phrase: String) throws {
        for page in ["<title>\(phrase)</title><p>sold out</p>", "<title>Shop</title><h1>\(phrase)…</h1>"] {
            #expect(try reading(page).kind == .wall, "\(page)")
        }
        let banner = "<title>Copper Kettle | Shop</title><h1>\(phrase)</h1><h1>Copper Kettle</h1><p>Sold out</p>"
        #expect(try reading(banner).signal == .outOfStock)
        let long = "<title>Shop</title><h1>\(phrase)</h1><p>\(String(repeating: "many words ", count: 200))</p>"
        #expect(try reading(long).kind == .item)
        #expect(try reading("<title>\(phrase)</title><p>Sold out</p>", "\(phrase)").kind == .item)
    }

    @Test(arguments: [
        ("https://consent.shop.example/v2/ask?session=1", true), ("https://login.shop.example/x", true),
        ("https://shop.queue-it.net/?c=shop&t=kettle", true), ("https://www.shop.example/p/kettle", false),
        ("https://queue.example/p/kettle", false),
    ])
    func `is somewhere else where a host asks for something first`(place: String, isElsewhere: Bool) throws {
        let asked = try HTTPURL("https://shop.example/products/kettle")
        #expect(PagePlace.isOfNoItem(try HTTPURL(place), movedFrom: asked) == isElsewhere)
        #expect(!PagePlace.isOfNoItem(try HTTPURL(place), movedFrom: try HTTPURL("https://consent.shop.example/p/x")))
    }
}
