package import KnotDomain
package import Recommendation
import VectorSearch

/// What the tests of the catalogue need again and again.
package enum CatalogueScenes {
    package static func query(
        _ phrases: [String],
        _ provider: ProviderName = .catalogue,
        types: [CandidateType] = CandidateType.allCases,
        limit: Int = 50,
        rules: OfferRules? = nil
    ) -> ProviderQuery {
        ProviderQuery(
            provider: provider,
            phrases: phrases,
            types: types,
            budget: Budget(minimum: 0, maximum: 100_000, currency: .usd),
            place: nil,
            until: nil,
            limit: limit,
            rules: rules
        )
    }

    /// An everybody's item of the source `shop`, the least that is one.
    package static func item(
        _ id: String,
        _ title: String,
        description: String = "",
        vault: VaultID? = nil,
        source: String = "shop",
        tags: String = "{}",
        vector: (axis: Int, model: String)? = nil
    ) -> String {
        let embedding = vector.map { vector in
            let (before, after) = (vector.axis, Embedding.dimension - 1 - vector.axis)
            let values = "array_fill(0, array[\(before)]) || array[1] || array_fill(0, array[\(after)])"
            return "(\(values))::public.vector, '\(vector.model)'"
        }
        return """
            insert into public.catalogue_items
                (vault_id, source, candidate_id, provider, type, title, description, url, currency, tags, embedding,
                embedding_model)
                values (\(vault.map { "'\($0)'" } ?? "null"), '\(source)', '\(id)', 'catalogue', 'gift', '\(title)',
                '\(description)', 'https://shop.example/\(id)', 'USD', '\(tags)', \(embedding ?? "null, null"));

            """
    }
}
