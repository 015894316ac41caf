import Testing

@testable import TextReading

/// Addresses of one page are one key, whoever led there; addresses of two pages are two.
@Suite struct CanonicalURLTests {
    @Test(arguments: [
        "http://www.shop.example/kettle", "https://shop.example/kettle/", "https://shop.example/kettle#reviews",
        "https://shop.example/kettle?utm_source=letter&gclid=1", "https://SHOP.example/kettle?ref=home",
    ])
    func `what only says how somebody came is left out`(url: String) {
        #expect(CanonicalURL.key(url) == "shop.example/kettle")
    }

    @Test func `a tag is an affiliate's at Amazon and names a page elsewhere`() {
        #expect(CanonicalURL.key("https://www.amazon.co.uk/dp/B01?tag=us-20") == "amazon.co.uk/dp/b01")
        #expect(CanonicalURL.key("https://smile.amazon.com/dp/B01?tag=us-20") == "smile.amazon.com/dp/b01")
        #expect(
            CanonicalURL.key("https://shop.example/item?tag=1") != CanonicalURL.key("https://shop.example/item?tag=2")
        )
        #expect(CanonicalURL.key("https://shop.example/amazon?tag=1") == "shop.example/amazon?tag=1")
    }
}
