import HTTPClient
import ItemPages
import JSONDocument
import KnotDomain

/// A candidate as a service describes it, before it is cleaned and checked.
struct CandidateDraft {
    let provider: ProviderName
    /// The service's own id.
    let id: String?
    let type: CandidateType
    let title: String?
    /// Never rebuilt and never shortened: its query is how a service knows whom it owes a visit to.
    let url: String?
    let currency: Currency?
    var description: String?
    var imageURL: String?
    var priceCents: Int?
    var merchant: String?
    var location: Place?
    var startsAt: Instant?
    var rating: Double?
    var reviewCount: Int?
    var shipsInDays: Int?
    var tags: [String] = []

    private static let mostTags = 16

    /// The candidate, clean and whole; nil where it has no id, name, currency or usable link.
    ///
    /// What is only adornment is left out where it is not as it must be; a price that is none is an unknown price.
    var candidate: Candidate? {
        guard let id, !id.isEmpty, let currency, !Self.isMisleading(url ?? "") else { return nil }
        let price = priceCents.flatMap { (0...1_000_000_000_000).contains($0) ? $0 : nil }
        return Candidate(
            reading: JSONReader([
                "id": .string("\(provider.rawValue):\(id)"), "provider": .string(provider.rawValue),
                "type": .string(type.rawValue), "title": JSONValue(title.map(PlainMarkup.decoded)),
                "description": JSONValue(description.map(PlainMarkup.decoded)), "url": JSONValue(url),
                "image_url": JSONValue(image), "price_cents": JSONValue(price), "currency": .string(currency.code),
                "merchant": JSONValue(merchant.map(PlainMarkup.decoded)),
                "location": place, "starts_at": JSONValue(startsAt?.iso8601),
                "rating": JSONValue(rating.flatMap { (0...5).contains($0) ? $0 : nil }),
                "review_count": JSONValue(reviewCount.flatMap { (0...1_000_000_000).contains($0) ? $0 : nil }),
                "ships_in_days": JSONValue(shipsInDays.flatMap { (0...36_500).contains($0) ? $0 : nil }),
                "tags": JSONValue(cleanTags),
            ])
        )
    }

    /// Whether a link leads elsewhere than it says, or into a network of the reader's own.
    ///
    /// It may have a user before its host, as `https://shop.example@elsewhere.example/`, or a character or an address that
    /// readers take for different things, or look like another host. The person who runs the
    /// program decides whether to trust what lies on this machine.
    private static func isMisleading(_ url: String) -> Bool {
        do throws(HTTPURL.Refusal) {
            let link = try HTTPURL(url)
            return link.isPrivate && !link.isLoopback || HTTPURL.looksLikeAnother(link.shownHost)
        } catch {
            return [.user, .oddCharacter, .oddAddress].contains(error) || error != .scheme && isDisguised(url)
        }
    }

    /// Whether the host of what is no plain link becomes one of the reader's own once browsers have read it, or may.
    ///
    /// They take other scripts' digits and stops for ours, leave out what nobody sees, decode what is encoded, and drop the
    /// point at a name's end and a port that is empty. Letters of other scripts stay names.
    private static func isDisguised(_ url: String) -> Bool {
        guard let start = url.firstRange(of: "://")?.upperBound else { return true }
        let authority = url[start...].prefix { !"/?#".contains($0) }
        let bracket = authority.firstIndex(of: "]").map { authority.index(after: $0) }
        var host = authority[..<(bracket ?? authority.firstIndex(of: ":") ?? authority.endIndex)]
        let port = authority[host.endIndex...].dropFirst()
        // Some readers take ":00443" for a port, and others for none.
        if !port.isEmpty, Int(port).map({ (1...65_535).contains($0) && String($0) == port }) != true { return true }
        if host.hasSuffix(".") { host.removeLast() }
        do throws(HTTPURL.Refusal) {
            return try HTTPURL("https://\(host)").isPrivate
        } catch {
            guard error == .host, host.contains(where: { !$0.isASCII }), !host.contains("..") else { return true }
        }
        if HTTPURL.looksLikeAnother(host) { return true }
        return host.lowercased().unicodeScalars.contains { scalar in
            scalar == "%" || scalar == "\u{3002}" || scalar.properties.isDefaultIgnorableCodePoint
                || scalar.properties.changesWhenNFKCCaseFolded && !Self.foldedLetters.contains(scalar)
        }
    }

    /// Small letters that names have all the same.
    private static let foldedLetters: Set<Unicode.Scalar> = ["ß", "ς"]

    /// Nil for an image that a reader's own network would be asked for; this machine's may only be beside a link to it.
    private var image: String? {
        guard let address = imageURL.flatMap({ JSONReader(.string($0)).webAddress() }), !Self.isMisleading(address)
        else {
            return nil
        }
        func isHere(_ url: String?) -> Bool { url.flatMap { try? HTTPURL($0) }?.isLoopback ?? false }
        return isHere(address) && !isHere(url) ? nil : address
    }

    private var cleanTags: [String] {
        var tags: [String] = []
        for tag in self.tags {
            let clean = BoundaryText.clean(PlainMarkup.decoded(tag), limit: TextLimit.tag)
            if !clean.isEmpty, !tags.contains(clean) { tags.append(clean) }
            if tags.count == Self.mostTags { break }
        }
        return tags
    }

    private var place: JSONValue {
        guard let location else { return .null }
        let isCode = location.country?.utf8.allSatisfy { (0x41...0x5A).contains($0 & 0xDF) } == true
        let country = isCode && location.country?.utf8.count == 2 ? location.country : nil
        let known = [location.city, location.state, country].compactMap { $0 }
        guard known.contains(where: { !BoundaryText.clean($0, limit: TextLimit.name).isEmpty }) else { return .null }
        return Place(city: location.city, state: location.state, country: country).json
    }
}
