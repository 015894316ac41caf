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

    /// What stores vectors of a vault beside those that it has; where they become too many, the others go.
    ///
    /// Nothing is stored where one of its hints is another now, or gone: what was read of a hint goes with it.
    static func storing(
        _ made: [(text: String, embedding: Embedding)],
        of vault: VaultID,
        beside stored: Int,
        hints: [Hint]
    ) -> [SQLQuery] {
        guard let id = PostgresUUID(vault.text), let model = made.first?.embedding.model,
            model.unicodeScalars.count <= longestModel
        else { return [] }
        let rows = made.map { (digest: SHA256Digest(of: $0.text).bytes, vector: $0.embedding) }
            .sorted { $0.digest.lexicographicallyPrecedes($1.digest) }
        let (ids, texts) = (hints.compactMap { PostgresUUID($0.id.text) }, hints.map(\.text))
        let storing = rows.map { row -> SQLQuery in
            """
            insert into public.text_embeddings (vault_id, model, text_digest, embedding)
            select \(id), \(model), \(ByteString(row.digest)), \(PostgresVector(of: row.vector))
            where not exists (
                select from rows from (pg_catalog.unnest(\(ids)), pg_catalog.unnest(\(texts))) as k (id, text)
                left join public.hints h on h.id = k.id and h.hint_text = k.text
                where h.id is null
            )
            on conflict (vault_id, model, text_digest) do nothing
            """
        }
        guard stored + made.count > most else { return storing }
        return ["delete from public.text_embeddings where vault_id = \(id) and model = \(model)"] + storing
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
