import HTTPClient
import ItemPages
import JSONDocument
import KnotDomain

/// Products as candidates; vouchers and what costs nothing are no presents unless somebody asks for them.
enum ShopifyMapping {
    /// A product of the catalogue: the cheapest offer that can be had, in the asked currency where there is one.
    static func candidate(of product: ShopifyWire.Product, inCurrency wanted: Currency?) -> Candidate? {
        let available = product.variants.filter { $0.isAvailable && ($0.minorUnits ?? 0) > 0 && $0.currency != nil }
        let fitting = available.filter { $0.currency == wanted }
        let offers = fitting.isEmpty ? available : fitting
        // Unlike currencies are not compared by their numbers: without the wanted one the first seller's counts.
        let currency = offers.first?.currency
        let best = offers.filter { $0.currency == currency }.min { ($0.minorUnits ?? 0) < ($1.minorUnits ?? 0) }
        guard let best, let amount = best.minorUnits, !isVoucher(product.title, product.kinds) else {
            return nil
        }
        var draft = CandidateDraft(
            provider: .shopify,
            id: product.id,
            type: .gift,
            title: product.title,
            url: best.url ?? product.url,
            currency: best.currency
        )
        draft.description = product.description
        draft.imageURL = product.imageURL
        draft.priceCents = amount
        draft.merchant = best.seller
        draft.rating = product.rating
        draft.reviewCount = product.reviewCount
        draft.tags = product.kinds
        return draft.candidate
    }

    /// What a search by Storefront GraphQL found.
    static func candidates(ofSearch json: JSONValue, in shop: ShopifyShop) -> [Candidate] {
        let data = json["data"]
        let name = data?.at("shop", "name")?.text ?? shop.domain
        return (data?.at("search", "nodes")?.items ?? []).compactMap { node in
            guard node["availableForSale"]?.flag == true else { return nil }
            let variants = node.at("variants", "nodes")?.items ?? []
            let prices: [Money] = variants.compactMap { variant in
                guard variant["availableForSale"]?.flag == true,
                    let currency = variant.at("price", "currencyCode")?.text.flatMap(Currency.init),
                    let amount = variant.at("price", "amount")?.decimal?.minorUnits(of: currency), amount > 0
                else { return nil }
                return Money(amount, currency)
            }
            // Unlike currencies are not compared by their numbers.
            let fitting = prices.filter { $0.currency == prices.first?.currency }
            guard let price = fitting.min(by: { $0.minorUnits < $1.minorUnits }) else { return nil }
            let kinds = [node["productType"]?.text].compactMap { $0 } + texts(node["tags"])
            guard !isVoucher(node["title"]?.text, kinds) else { return nil }
            var draft = CandidateDraft(
                provider: .shopify,
                id: node["id"]?.text,
                type: .gift,
                title: node["title"]?.text,
                // What is not published has no page to link to.
                url: node["onlineStoreUrl"]?.text,
                currency: price.currency
            )
            draft.description = node["description"]?.text
            draft.imageURL = node.at("featuredImage", "url")?.text
            draft.priceCents = price.minorUnits
            draft.merchant = name
            draft.tags = kinds + [node["vendor"]?.text].compactMap { $0 }
            return draft.candidate
        }
    }

    /// What the list of products shows to everybody; its prices are major units without a currency.
    static func candidates(ofList json: JSONValue, in shop: ShopifyShop) -> [Candidate] {
        (json["products"]?.items ?? []).compactMap { product in
            guard let id = product["id"]?.count, let handle = product["handle"]?.text else { return nil }
            let prices = (product["variants"]?.items ?? []).filter { $0["available"]?.flag == true }
                .compactMap { $0["price"]?.decimal?.minorUnits(of: shop.currency) }.filter { $0 > 0 }
            let kinds = [product["product_type"]?.text].compactMap { $0 } + texts(product["tags"])
            guard let price = prices.min(), !isVoucher(product["title"]?.text, kinds) else { return nil }
            var draft = CandidateDraft(
                provider: .shopify,
                id: "\(shop.domain)/\(id)",
                type: .gift,
                title: product["title"]?.text,
                // A handle may be of any letters; some write them encoded already.
                url: "https://\(shop.domain)/products/"
                    + HTTPRequest.encoded(handle).replacing("%25", with: "%"),
                currency: shop.currency
            )
            draft.description = product["body_html"]?.text.map(PlainMarkup.text(of:))
            draft.imageURL = product["images"]?.items.first?["src"]?.text
            draft.priceCents = price
            draft.merchant = shop.domain
            draft.tags = kinds + [product["vendor"]?.text].compactMap { $0 }
            return draft.candidate
        }
    }

    /// A list, or a text with commas, as shops themselves are shown it.
    private static func texts(_ list: JSONValue?) -> [String] {
        if case .string(let text)? = list { return text.split(separator: ",").map(String.init) }
        return (list?.items ?? []).compactMap(\.text)
    }

    /// Whether a name or a kind is that of a voucher, whatever it is worth or for: "The Kiln Gift Card ($50)", and not a
    /// "Gift Card Holder".
    private static func isVoucher(_ title: String?, _ kinds: [String]) -> Bool {
        (kinds + [title].compactMap { $0 }).contains { name in
            let words = name.lowercased().split { !$0.isLetter && !$0.isNumber }
            for (place, pair) in zip(words.indices, zip(words, words.dropFirst())) {
                guard pair.0 == "gift" || pair.0 == "egift", vouchers.contains(pair.1) else { continue }
                // What follows is an amount, or whom and what it is for.
                let next = words[(place + 2)...].first
                let isEnd = next.map { afterVouchers.contains($0) || $0.contains(where: \.isNumber) } ?? true
                if isEnd { return true }
            }
            return false
        }
    }

    private static let vouchers: Set<Substring> = [
        "card", "cards", "voucher", "vouchers", "certificate", "certificates",
    ]
    private static let afterVouchers: Set<Substring> = ["for", "to", "from", "by", "at", "of", "usd", "eur", "gbp"]
}
