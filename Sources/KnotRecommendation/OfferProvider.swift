import JSONDocument
import KnotDomain

/// A service that offers come from; an empty answer means that it has nothing, an outage is thrown.
public protocol OfferProvider: Sendable {
    /// 1 to 64 of a-z, 0-9, - and _; no two have the same.
    var name: String { get }

    func offers(for query: OfferQuery) async throws -> [Offer]
}

/// Looks whether an offer can still be had.
public protocol AvailabilityCheck: Sendable {
    /// Nil where that cannot be told; the card then says so.
    func isAvailable(_ offer: Offer) async throws -> Bool?
}

/// What a provider is asked: words of the reviewed tables alone, and nothing of the person.
public struct OfferQuery: Sendable {
    /// Short phrases, the most wanted first.
    public let phrases: [String]
    /// The most offers that are taken.
    public let limit: Int
}

/// Something that could be recommended, read once and valid from then on.
public struct Offer: Sendable {
    let candidate: Candidate

    /// Reads a list of offers in the form of a fixture's `candidates`; throws the path of every problem.
    public static func list(json: [UInt8]) throws(RecommenderError) -> [Offer] {
        let reader = try JSONReader(parsing: json, as: .offer)
        let offers = reader.items().compactMap { Candidate(reading: $0) }.map(Offer.init)
        guard reader.problems.list.isEmpty else { throw RecommenderError(.offer, reader.problems.list) }
        return offers
    }

    /// As its provider names it.
    public var id: String { candidate.id.text }
    /// The name of the provider whose offer it is.
    public var provider: String { candidate.provider.rawValue }
}

extension JSONReader {
    /// A reader of a whole document; throws where it is no JSON.
    init(parsing bytes: [UInt8], as code: RecommenderError.Code) throws(RecommenderError) {
        do throws(JSONSyntaxError) {
            self.init(try JSONParser.parse(bytes))
        } catch {
            throw RecommenderError(code, "not valid JSON: \(error)")
        }
    }
}
