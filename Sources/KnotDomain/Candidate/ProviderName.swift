/// The outside services candidates come from.
package enum ProviderName: String, CaseIterable, Sendable, Hashable {
    case yelp
    case ticketmaster
    case amazon
    case shopify
    case firecrawl
    case catalogue
}
