package import JSONDocument
import KnotDomain

extension ProviderQuery {
    /// What a recording knows the query by.
    package var json: JSONValue {
        [
            "provider": .string(provider.rawValue), "phrases": JSONValue(phrases),
            "types": JSONValue(types.map(\.rawValue)),
            "budget": budget.json, "place": place?.json ?? .null, "until": JSONValue(until?.description),
            "limit": .integer(limit),
        ]
    }
}
