import Digest
import KnotDomain
import PostgresClient
import VectorSearch

/// Vectors of the phrases that a vault's hints were read as, kept with the vault: each is made once.
enum PhraseEmbeddings {
    /// What a vault keeps at most; of more, some belong to readings of long ago.
    private static let most = 256
    /// What the column of the model's name takes.
    private static let longestModel = 200

    /// What stores vectors of a vault beside so many that it has, of which the used ones stay; where they would be too many,
    /// the unused ones go, and what there is no room for is made again by the next run.
    ///
    /// Nothing is stored where one of its hints is another now, or gone: what was read of a hint goes with it.
    static func storing(
        _ made: [(text: String, embedding: Embedding)],
        of vault: VaultID,
        beside stored: Int,
        used: [String],
        hints: [Hint]
    ) -> [SQLQuery] {
        let rows = made.map { (digest: SHA256Digest(of: $0.text).bytes, vector: $0.embedding) }
            .sorted { $0.digest.lexicographicallyPrecedes($1.digest) }
            .prefix(max(0, most - used.count))
        guard let id = PostgresUUID(vault.text), let model = rows.first?.vector.model,
            model.unicodeScalars.count <= longestModel
        else { return [] }
        let isSame: SQLQuery = "pg_catalog.current_setting('knot.same_hints') = 'yes'"
        let forgetting: SQLQuery = """
            delete from public.text_embeddings
            where vault_id = \(id) and model = \(model) and \(fragment: isSame)
                and text_digest <> all (\(used.map { ByteString(SHA256Digest(of: $0).bytes) }))
            """
        let storing = rows.map { row -> SQLQuery in
            """
            insert into public.text_embeddings (vault_id, model, text_digest, embedding)
            select \(id), \(model), \(ByteString(row.digest)), \(PostgresVector(of: row.vector))
            where \(fragment: isSame)
            on conflict (vault_id, model, text_digest) do nothing
            """
        }
        return [looking(at: hints)] + (stored + rows.count > most ? [forgetting] : []) + storing
    }

    /// Looks once for all that follows in the transaction whether the hints are as they were read.
    private static func looking(at hints: [Hint]) -> SQLQuery {
        """
        select pg_catalog.set_config('knot.same_hints', case when exists (
            select from rows from (
                pg_catalog.unnest(\(hints.compactMap { PostgresUUID($0.id.text) })), pg_catalog.unnest(\(hints.map(\.text)))
            ) as k (id, text)
            left join public.hints h on h.id = k.id and h.hint_text = k.text
            where h.id is null
        ) then 'no' else 'yes' end, true)
        """
    }
}

extension PostgresVector {
    /// Without the zeros that fill up what a smaller model gives.
    init(of embedding: Embedding) {
        let last = embedding.values.lastIndex { $0 != 0 } ?? 0
        self.init(Array(embedding.values[...last]))
    }

    /// The same, filled up again; nil for numbers that are no embedding.
    func embedding(of model: String) -> Embedding? {
        guard values.count <= Embedding.dimension else { return nil }
        return Embedding(values + [Float](repeating: 0, count: Embedding.dimension - values.count), model: model)
    }
}
