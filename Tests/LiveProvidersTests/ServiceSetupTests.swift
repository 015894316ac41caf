import FileInput
import Foundation
import HTTPClient
import KnotDomain
import LiveProviders
import Recommendation
import TestSupport
import Testing

/// What variables make of services.
@Suite("The set-up of services")
struct ServiceSetupTests {
    private func entry(_ name: ProviderName, _ environment: [String: String]) throws -> LiveServices.Entry {
        let services = LiveServices(
            environment: { environment[$0] },
            zones: ZoneDirectory(),
            now: { Adapters.now },
            sending: { _ in ScriptedSender("{}") }
        )
        return try #require(services.entries.first { $0.capability.name == name })
    }

    private static let amazon = [
        "KNOT_AMAZON_CLIENT_ID": "client-id-1", "KNOT_AMAZON_CLIENT_SECRET": "client-secret-1",
        "KNOT_AMAZON_TAG": "example-20",
    ]

    @Test(arguments: [
        ("www.amazon.com", "3.1"), ("www.amazon.com.br", "2.1"), ("www.amazon.de", "3.2"), ("www.amazon.in", "2.2"),
        ("www.amazon.ae", "3.2"), ("www.amazon.sa", "3.2"), ("www.amazon.eg", "3.2"), ("www.amazon.ie", "3.2"),
        ("www.amazon.co.jp", "3.3"), ("www.amazon.com.au", "2.3"),
    ])
    func `take credentials of the store's part of the world, and no others`(store: String, version: String) throws {
        var environment = Self.amazon
        environment["KNOT_AMAZON_STORE"] = store
        #expect(try entry(.amazon, environment).service != nil, "the usual version")
        environment["KNOT_AMAZON_VERSION"] = version
        #expect(try entry(.amazon, environment).service != nil)
        environment["KNOT_AMAZON_VERSION"] = version.hasSuffix("1") ? "3.2" : "3.1"
        #expect(try entry(.amazon, environment).problem?.contains("KNOT_AMAZON_VERSION") == true)
    }

    @Test func `send one shop's token to no other shop`() throws {
        var environment = ["KNOT_SHOPIFY_SHOP_KEY": "shop-token-1", "KNOT_SHOPIFY_SHOPS": "kiln.example"]
        #expect(try entry(.shopify, environment).service != nil)
        environment["KNOT_SHOPIFY_SHOPS"] = "kiln.example, loom.example:products"
        #expect(try entry(.shopify, environment).service != nil, "a list of products is asked for without a token")
        environment["KNOT_SHOPIFY_SHOPS"] = "kiln.example, loom.example"
        #expect(try entry(.shopify, environment).problem?.contains("KNOT_SHOPIFY_SHOP_KEY") == true)
        environment["KNOT_SHOPIFY_SHOP_KEY"] = nil
        #expect(try entry(.shopify, environment).service != nil)
        // Whoever plays recorded traffic has no keys, and needs none.
        let tape = TrafficTape(services: [.shopify: environment], pages: nil, entries: [])
        #expect(tape.variable("KNOT_SHOPIFY_SHOP_KEY") == nil)
    }

    /// Whoever names a key means to ask the service, and would not be told that it is never asked.
    @Test func `are no set-up where a part of it was forgotten, and none is missed where nothing was begun`() throws {
        var environment = Self.amazon
        for name in Self.amazon.keys.sorted() where name != "KNOT_AMAZON_TAG" {
            environment[name] = nil
            #expect(try entry(.amazon, environment).problem?.hasPrefix("\(name) is not set") == true)
            environment[name] = Self.amazon[name]
        }
        environment["KNOT_AMAZON_TAG"] = nil
        #expect(try entry(.amazon, environment).problem?.hasPrefix("KNOT_AMAZON_TAG is not set") == true)
        environment["KNOT_AMAZON_CLIENT_ID"] = nil
        environment["KNOT_AMAZON_CLIENT_SECRET"] = nil
        environment["KNOT_AMAZON_CLIENT_ID_FILE"] = "/nowhere/id"
        let both = "KNOT_AMAZON_CLIENT_SECRET and KNOT_AMAZON_TAG are not set"
        #expect(try entry(.amazon, environment).problem?.hasPrefix(both) == true)
        #expect(try entry(.shopify, ["KNOT_SHOPIFY_SHOP_KEY": "shop-token-1"]).problem?.contains(" or ") == true)
        for (name, unset) in [(ProviderName.amazon, "KNOT_AMAZON_STORE"), (.yelp, "KNOT_YELP_URL")] {
            #expect(try entry(name, [unset: "https://www.amazon.com"]).problem == nil)
        }
    }

    @Test func `name the variable of embeddings that is wrong, once`() throws {
        let variables = [
            "KNOT_EMBEDDING_SERVICE": "openai", "KNOT_EMBEDDING_URL": "ftp://x", "KNOT_EMBEDDING_MODEL": "m",
        ]
        let problem = #expect(throws: EmbeddingVariables.Problem.self) {
            try EmbeddingVariables { variables[$0] }.service
        }
        #expect(problem?.variable == "KNOT_EMBEDDING_URL" && problem?.reason.hasPrefix("is no address") == true)
    }

    @Test(arguments: [("0", true), ("1", true), ("", true), ("yes", false), ("true", false)])
    func `take for a switch what is one`(written: String, isTaken: Bool) throws {
        let environment = ["KNOT_FIRECRAWL_KEY": "key-1", "KNOT_FIRECRAWL_READS_PAGES": written]
        #expect((try entry(.firecrawl, environment).problem == nil) == isTaken)
    }

    /// A key has one quota, wherever it stands, and another key in the same file has another.
    @Test func `know an account by its key and its address`() throws {
        let folder = try ScratchFolder()
        let file = folder.file("key")
        func account(_ environment: [String: String]) throws -> String? {
            try entry(.yelp, environment).conduct?.account
        }
        func ofFile(_ key: String) throws -> String? {
            try Data("\(key)\n".utf8).write(to: URL(filePath: file))
            return try account(["KNOT_YELP_KEY_FILE": file])
        }
        let usual = try #require(try account(["KNOT_YELP_KEY": "key-number-1"]))
        #expect(try ofFile("key-number-1") == usual)
        #expect(try ofFile("key-number-2") != usual)
        for address in ["https://api.yelp.com/v3", "https://api.yelp.com/v3/"] {
            #expect(try account(["KNOT_YELP_KEY": "key-number-1", "KNOT_YELP_URL": address]) == usual)
        }
        #expect(try account(["KNOT_YELP_KEY": "key-number-1", "KNOT_YELP_URL": "https://y.example"]) != usual)
        #expect(!usual.contains("key"))
    }

    /// What nobody but whoever sits in that network could follow, and what readers take for different addresses.
    @Test(arguments: [
        "http://169.254.169.254/latest", "http://192.168.0.1/", "https://10.0.0.7/x", "http://printer.local/",
        "http://printer/", "https://db.internal/x", "https://shop.example:99999/x", "https://shop.example:x/",
        "http://[fd00::1]/", "http://2130706433/", "http://0x7f.1/",
    ])
    func `show no link into somebody's own network`(link: String) async throws {
        let page = Replies.yelp.replacing("https://www.yelp.com/biz/copper-kettle", with: link)
        #expect(page != Replies.yelp)
        #expect(try await Adapters.yelp(ScriptedSender(page)).candidates(for: .invented(.yelp)).isEmpty)
    }
}
