import Digest
import HTTPClient
import KnotDomain

/// The variables that set services up.
///
/// Keys are secrets: they come from a variable, or from the file that the variable with `_FILE` names.
struct ServiceVariables {
    private let environment: (String) -> String?

    init(_ environment: @escaping (String) -> String?) {
        self.environment = environment
    }

    typealias Making = (any HTTPSender) -> any LiveService

    var yelp: Making {
        get throws(SetupProblem) {
            let key = try secret("KNOT_YELP_KEY")
            let base = try address("KNOT_YELP_URL") ?? YelpClient.usualBase
            return { YelpClient(sender: $0, key: key, base: base) }
        }
    }

    func ticketmaster(
        _ zones: any ZoneSource,
        _ now: @escaping @Sendable () -> Instant
    ) throws(SetupProblem) -> Making {
        let key = try secret("KNOT_TICKETMASTER_KEY")
        let base = try address("KNOT_TICKETMASTER_URL") ?? TicketmasterClient.usualBase
        return { TicketmasterClient(sender: $0, key: key, base: base, zones: zones, now: now) }
    }

    var amazon: Making {
        get throws(SetupProblem) {
            let needed = ["KNOT_AMAZON_CLIENT_ID", "KNOT_AMAZON_CLIENT_SECRET", "KNOT_AMAZON_TAG"]
            let missing = needed.filter { !isSet($0) }
            guard missing.isEmpty else { throw .missing(missing) }
            let versions = AmazonAccount.Version.allCases.map(\.rawValue)
            let written = plain("KNOT_AMAZON_VERSION") ?? "3.1"
            guard let version = AmazonAccount.Version(rawValue: written) else {
                throw .unusable("KNOT_AMAZON_VERSION is none of \(versions.joined(separator: ", "))")
            }
            let store = plain("KNOT_AMAZON_STORE") ?? "www.amazon.com"
            guard CountryTable.currency(ofStore: store) != nil else {
                throw .unusable("KNOT_AMAZON_STORE is no store of Amazon, as www.amazon.com is one")
            }
            let account = AmazonAccount(
                clientID: try secret(needed[0]),
                clientSecret: try secret(needed[1]),
                version: version,
                partnerTag: plain(needed[2]) ?? "",
                store: store,
                tokenURL: try address("KNOT_AMAZON_TOKEN_URL")
            )
            let base = try address("KNOT_AMAZON_URL") ?? AmazonClient.usualBase
            return { AmazonClient(sender: $0, account: account, base: base) }
        }
    }

    /// The catalogue of all shops needs a profile that Shopify can read; a shop needs nothing but its name.
    var shopify: Making {
        get throws(SetupProblem) {
            let shops = try self.shops
            let profile = try address("KNOT_SHOPIFY_PROFILE")
            guard profile != nil || !shops.isEmpty else {
                throw .missing(["KNOT_SHOPIFY_PROFILE", "KNOT_SHOPIFY_SHOPS"])
            }
            let token = isSet("KNOT_SHOPIFY_KEY") ? try secret("KNOT_SHOPIFY_KEY") : nil
            let url = try address("KNOT_SHOPIFY_URL") ?? ShopifyClient.usualCatalogue
            let catalogue = profile.map { ShopifyClient.Catalogue(url: url, profile: $0, token: token) }
            return { ShopifyClient(sender: $0, catalogue: catalogue, shops: shops) }
        }
    }

    /// `kiln.example, loom.example:products:GBP`: a shop's host, and how it is asked where not by GraphQL.
    private var shops: [ShopifyShop] {
        get throws(SetupProblem) {
            let token = isSet("KNOT_SHOPIFY_SHOP_KEY") ? try secret("KNOT_SHOPIFY_SHOP_KEY") : nil
            var shops: [ShopifyShop] = []
            for part in (plain("KNOT_SHOPIFY_SHOPS") ?? "").split(separator: ",") {
                let fields = part.split(separator: ":").map { $0.filter { !$0.isWhitespace } }
                guard let domain = fields.first?.lowercased(), Self.isHost(domain), fields.count <= 3,
                    let surface = ShopifyShop.Surface(rawValue: fields.count > 1 ? fields[1] : "graphql"),
                    let currency = Currency(fields.count > 2 ? fields[2] : "USD")
                else {
                    throw .unusable("KNOT_SHOPIFY_SHOPS is no list such as kiln.example, loom.example:products:GBP")
                }
                shops.append(ShopifyShop(domain: domain, surface: surface, currency: currency, token: token))
            }
            return shops
        }
    }

    var firecrawl: Making {
        get throws(SetupProblem) {
            // Without a key the service answers a few calls a day, which looks like a service that fails.
            let key = try secret("KNOT_FIRECRAWL_KEY")
            let base = try address("KNOT_FIRECRAWL_URL") ?? FirecrawlClient.usualBase
            let readsPages = plain("KNOT_FIRECRAWL_READS_PAGES") == "1"
            return { FirecrawlClient(sender: $0, key: key, base: base, readsPages: readsPages) }
        }
    }

    /// A digest of everything that sets a service up: other keys have other quotas.
    func account(of name: ProviderName) -> String {
        let prefix = "KNOT_\(name.rawValue.uppercased())_"
        let own = LiveServices.variables.filter { $0.hasPrefix(prefix) }.map { "\($0)=\(environment($0) ?? "")" }
        return String(SHA256Digest(of: own.joined(separator: "\n")).hex.prefix(16))
    }

    /// Every secret and every address of a service, whether set or usual; a secret that cannot be read is never sent.
    var hidden: [Scrubber.Hidden] {
        let secrets = LiveServices.secretVariables.compactMap { name in
            (try? Secret.named(name, in: environment)).flatMap { $0 }.map { found in
                Scrubber.Hidden(found.exposed, as: name, isSecret: true)
            }
        }
        let version = plain("KNOT_AMAZON_VERSION").flatMap(AmazonAccount.Version.init(rawValue:)) ?? .america3
        let usual = [
            "KNOT_YELP_URL": YelpClient.usualBase, "KNOT_TICKETMASTER_URL": TicketmasterClient.usualBase,
            "KNOT_AMAZON_URL": AmazonClient.usualBase, "KNOT_AMAZON_TOKEN_URL": version.usualTokenURL,
            "KNOT_SHOPIFY_URL": ShopifyClient.usualCatalogue, "KNOT_FIRECRAWL_URL": FirecrawlClient.usualBase,
        ]
        let addresses = LiveServices.addressVariables.compactMap { name in
            ((try? address(name)).flatMap { $0 } ?? usual[name]).map { Scrubber.Hidden($0, as: name, isSecret: false) }
        }
        return secrets + addresses
    }

    // MARK: Reading

    private func plain(_ name: String) -> String? {
        environment(name).flatMap { $0.isEmpty ? nil : $0 }
    }

    private func isSet(_ name: String) -> Bool { plain(name) != nil || plain(name + "_FILE") != nil }

    private func secret(_ name: String) throws(SetupProblem) -> Secret {
        guard let found = try optionalSecret(name) else { throw .missing([name]) }
        return found
    }

    /// Nil where neither the variable nor its file is set.
    func optionalSecret(_ name: String) throws(SetupProblem) -> Secret? {
        let read: Secret?
        do throws(Secret.Unreadable) {
            read = try Secret.named(name, in: environment)
        } catch {
            throw .unusable(error.description)
        }
        guard let found = read else { return nil }
        guard found.exposed.utf8.allSatisfy({ (0x21..<0x7F).contains($0) }) else {
            throw .unusable("\(name) has a space, a line break or another character that no key has")
        }
        return found
    }

    /// An address without what an address of a service never has; plain HTTP is for this machine alone.
    func address(_ name: String) throws(SetupProblem) -> String? {
        guard var text = plain(name) else { return nil }
        while text.hasSuffix("/") { text.removeLast() }
        let isHere = ["http://127.0.0.1", "http://localhost", "http://[::1]"].contains { local in
            text == local || text.hasPrefix(local + ":") || text.hasPrefix(local + "/")
        }
        let isPlain = text.utf8.allSatisfy { (0x21..<0x7F).contains($0) } && !text.contains { "?#@\\".contains($0) }
        guard isPlain, isHere || text.hasPrefix("https://"), WebHost.name(of: text) != nil else {
            throw .unusable("\(name) is no address that begins with https://")
        }
        return text
    }

    private static func isHost(_ text: String) -> Bool {
        text.contains(".") && text.utf8.count <= 253
            && text.utf8.allSatisfy {
                (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || $0 == 0x2D || $0 == 0x2E
            }
    }
}
