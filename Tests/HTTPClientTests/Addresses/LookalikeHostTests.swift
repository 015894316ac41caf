import Testing

@testable import HTTPClient

@Suite("A host that looks like another")
struct LookalikeHostTests {
    @Test(arguments: [
        "\u{430}mazon.com", "xn--mazon-3ve.com", "p\u{430}ypal.com", "shop.\u{430}\u{440}\u{440}\u{4CF}\u{435}.com",
        "xn--80ak6aa92e.com", "g\u{3BF}\u{3BF}gle.com", "\u{251}mazon.com", "xn--.com", "xn--a\u{20}.com",
        "xn--99999999999.com",
    ])
    func `mixes scripts of like shapes, or has another's letters alone`(host: String) {
        #expect(HTTPURL.looksLikeAnother(host))
    }

    @Test(arguments: [
        "shop.example", "b\u{FC}cher.example", "xn--bcher-kva.example",
        "\u{43F}\u{440}\u{438}\u{43C}\u{435}\u{440}.\u{440}\u{444}",
        "xn--e1afmkfd.example", "\u{9676}\u{5668}.jp", "\u{65E5}\u{672C}shop.jp", "stra\u{DF}e.example", "3m.com",
        "\u{3B2}\u{3B9}\u{3B2}\u{3BB}\u{3AF}\u{3BF}.gr",
    ])
    func `is none that is of one script`(host: String) {
        #expect(!HTTPURL.looksLikeAnother(host))
    }
}
