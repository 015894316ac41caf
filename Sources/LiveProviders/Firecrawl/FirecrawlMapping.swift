import Digest
import KnotDomain
import Recommendation

/// A page as a candidate.
enum FirecrawlMapping {
    /// Nil for a page that is not there, for one that says that nothing of it is in stock, for what is on a day that is
    /// over or too late, and for what takes place somewhere or some day where a present is asked for.
    static func candidate(
        of page: FirecrawlWire.Page,
        type: CandidateType,
        for query: ProviderQuery
    ) -> Candidate? {
        let day = page.startsAt.flatMap(Day.init)
        let moment = page.startsAt.flatMap(Instant.init(iso8601:))
        // What is delivered may be told of with the town of its shop.
        let isElsewhere = page.place?.city != nil && page.deliveryDays == nil
        if type == .gift, day != nil || moment != nil || isElsewhere { return nil }
        if let day, day.isOutside(query) { return nil }
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
            currency: price?.currency ?? CountryTable.currency(of: query.place?.country) ?? .usd
        )
        // The day comes first: what is long is cut.
        let about = [day?.words, page.product?.description ?? page.description].compactMap { $0 }
        draft.description = about.isEmpty ? nil : about.joined(separator: ". ")
        draft.imageURL = inStock.first?.imageURL ?? page.imageURL
        draft.priceCents = price?.minorUnits
        draft.merchant = page.site ?? WebHost.name(of: url)
        draft.location = type == .gift ? nil : page.place
        draft.startsAt = moment
        // What a model read is a number that may be one: days of no length and stars beyond five are misread.
        draft.shipsInDays = page.deliveryDays.flatMap { (0...365).contains($0) ? $0 : nil }
        draft.rating = page.rating.flatMap { (0...5).contains($0) ? $0 : nil }
        draft.reviewCount = draft.rating == nil ? nil : page.reviewCount
        draft.tags = [page.product?.kind, page.product?.brand].compactMap { $0 }
        return draft.candidate
    }

    /// A day of which nobody knows when it is elsewhere: a date, or a time by clocks that are not named.
    private struct Day {
        let date: CivilDate
        let words: String

        init?(_ text: String) {
            guard Instant(iso8601: text) == nil, let date = CivilDate(iso8601: String(text.prefix(10))) else {
                return nil
            }
            self.date = date
            let time = text.dropFirst(10).first.map { "T ".contains($0) } == true ? text.dropFirst(11).prefix(5) : ""
            let isTime = Instant(iso8601: "\(date)T\(time)Z") != nil
            words = "On \(date)" + (isTime ? " at \(time)" : ", time to be announced")
        }

        /// A filter sees no day where there is no moment.
        func isOutside(_ query: ProviderQuery) -> Bool {
            // The day that it is somewhere still.
            let today = query.asOf.map { LocalDateTime(secondsSinceEpoch: Int($0.secondsSinceEpoch) - 12 * 3_600).date }
            return today.map { date < $0 } ?? false || query.until.map { date > $0 } ?? false
        }
    }

    /// The product's own page where it is on the same site: what a page says of other sites is not believed.
    private static func link(of page: FirecrawlWire.Page) -> String? {
        guard let url = page.url else { return nil }
        guard let own = page.product?.url, WebHost.name(of: own) == WebHost.name(of: url) else { return url }
        // A page that came by TLS is not left for one without.
        return own.hasPrefix("https:") || !url.hasPrefix("https:") ? own : url
    }
}
