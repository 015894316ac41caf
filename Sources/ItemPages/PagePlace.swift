package import HTTPClient

/// Where a page leads instead of to its item: a front door, a list, a search, somebody who asks for a name.
package enum PagePlace {
    private static let fronts: Set<String> = [
        "index", "home", "homepage", "default", "main", "start", "welcome", "startseite", "accueil", "inicio",
    ]
    private static let others: Set<String> = [
        "login", "log-in", "signin", "sign-in", "sign_in", "logon", "register", "signup", "sign-up", "account", "auth",
        "sso", "search", "suche", "recherche", "buscar", "cerca", "404", "410", "notfound", "not-found", "not_found",
        "page-not-found", "error", "errors", "unavailable", "challenge", "captcha", "blocked", "maintenance", "cart",
        "checkout", "basket", "consent", "password",
    ]
    /// What ends the address of a list of items.
    private static let lists: Set<String> = [
        "all", "collections", "products", "shop", "store", "catalog", "catalogue", "events", "tickets", "categories",
        "category", "sale", "browse",
    ]
    /// What begins the name of a host that asks for something first.
    private static let hosts: Set<String> = [
        "consent", "login", "signin", "auth", "accounts", "sso", "queue", "waitingroom", "captcha", "challenge",
    ]
    private static let holders: Set<String> = ["collections", "category", "categories", "product-category"]
    private static let items: Set<String> = ["products", "product", "p", "dp", "item", "items"]

    /// Whether a page that was moved from one place to another cannot be that of the item any more.
    package static func isOfNoItem(_ url: HTTPURL, movedFrom asked: HTTPURL) -> Bool {
        isOfNoItem(url) && !isOfNoItem(asked)
    }

    /// Whether a page is at a place that may be another item's: its address has not all words that end the one asked for, as
    /// the item's number or name.
    package static func isAnother(_ url: HTTPURL, than asked: HTTPURL) -> Bool {
        func words(_ text: Substring) -> [Substring] {
            text.lowercased()[...].split { !$0.isLetter && !$0.isNumber }
        }
        let last = asked.target.prefix { $0 != "?" }.split(separator: "/").last ?? ""
        return !Set(words(last)).subtracting(["html", "htm", "php", "aspx"]).isSubset(
            of: words(url.target.prefix { $0 != "?" })
        )
    }

    private static func isOfNoItem(_ url: HTTPURL) -> Bool {
        let labels = url.shownHost.split(separator: ".")
        if labels.count > 2, let first = labels.first, hosts.contains(String(first)) { return true }
        if labels.suffix(2).joined(separator: ".") == "queue-it.net" { return true }
        let path = url.target.prefix { $0 != "?" && $0 != "#" }.lowercased()
        var parts = path.split(separator: "/").map { part in
            part.hasSuffix(".html") || part.hasSuffix(".php") || part.hasSuffix(".aspx") || part.hasSuffix(".htm")
                ? part.prefix { $0 != "." } : part
        }
        if let first = parts.first, isLocale(first) { parts.removeFirst() }
        guard let last = parts.last else { return true }
        if parts.count == 1, fronts.contains(String(last)) { return true }
        if parts.contains(where: { others.contains(String($0)) }) { return true }
        if lists.contains(String(last)) { return true }
        // A collection may hold its items' pages below it.
        return parts.contains { holders.contains(String($0)) } && !parts.contains { items.contains(String($0)) }
    }

    /// `en`, `en-us`, `de_ch`.
    private static func isLocale(_ part: Substring) -> Bool {
        let halves = part.split(omittingEmptySubsequences: false) { $0 == "-" || $0 == "_" }
        return halves.count <= 2
            && halves.allSatisfy { half in
                half.utf8.count == 2 && half.utf8.allSatisfy { (0x61...0x7A).contains($0) }
            }
    }
}
