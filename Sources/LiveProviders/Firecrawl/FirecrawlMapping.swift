import Digest
import KnotDomain

/// A page as a candidate.
enum FirecrawlMapping {
    /// Nil for a page that is not there, and for one that says that nothing of it is in stock.
    static func candidate(
        of page: FirecrawlWire.Page,
        type: CandidateType,
        near place: Place?
    ) -> Candidate? {
        if let status = page.status, !(200..<400).contains(status) { return nil }
        let inStock = page.product?.variants.filter(\.isInStock) ?? []
        if let product = page.product, !product.variants.isEmpty, inStock.isEmpty { return nil }
        // A price without its currency is no price, and numbers of unlike currencies are not compared.
        let priced = inStock.filter { $0.amount != nil && $0.currency != nil }
        let money: [Money] = priced.filter { $0.currency == priced.first?.currency }.compactMap { variant in
            guard let currency = variant.currency else { return nil }
            return variant.amount?.minorUnits(of: currency).flatMap { $0 > 0 ? Money($0, currency) : nil }
        }
        let price = money.min { $0.minorUnits < $1.minorUnits }
        guard let url = link(of: page) else { return nil }
        var draft = CandidateDraft(
            provider: .firecrawl,
            // A page is known by its address, which is longer than an id may be.
            id: String(SHA256Digest(of: url).hex.prefix(32)),
            type: type,
            title: page.product?.title ?? page.title,
            url: url,
            currency: price?.currency ?? CountryTable.currency(of: place?.country) ?? .usd
        )
        draft.description = page.product?.description ?? page.description
        draft.imageURL = inStock.first?.imageURL ?? page.imageURL
        draft.priceCents = price?.minorUnits
        draft.merchant = page.site ?? WebHost.name(of: url)
        draft.location = type == .gift ? nil : page.place
        draft.startsAt = page.startsAt.flatMap(Instant.init(iso8601:))
        // What a model read is a number that may be one: days of no length and stars beyond five are misread.
        draft.shipsInDays = page.deliveryDays.flatMap { (0...365).contains($0) ? $0 : nil }
        draft.rating = page.rating.flatMap { (0...5).contains($0) ? $0 : nil }
        draft.reviewCount = draft.rating == nil ? nil : page.reviewCount
        draft.tags = [page.product?.kind, page.product?.brand].compactMap { $0 }
        return draft.candidate
    }

    /// The product's own page where it is on the same site: what a page says of other sites is not believed.
    private static func link(of page: FirecrawlWire.Page) -> String? {
        guard let url = page.url else { return nil }
        guard let own = page.product?.url, WebHost.name(of: own) == WebHost.name(of: url) else { return url }
        return own
    }
}
