import KnotDomain
package import PostgresClient
import Recommendation
import TextReading
import VectorSearch

/// Embeddings of hints in the database.
package struct HintEmbeddingStore: EmbeddingStore {
    package let pool: ConnectionPool

    package init(_ pool: ConnectionPool) {
        self.pool = pool
    }

    package static func count(_ model: String, _ vault: PostgresUUID?) -> SQLQuery {
        "select count(*) as n from public.hints h where \(fragment: isPending(model, vault))"
    }

    package static func page(
        _ model: String,
        _ vault: PostgresUUID?,
        after last: PendingText?,
        _ limit: Int
    ) -> SQLQuery {
        let place: SQLQuery = last.flatMap { PostgresUUID($0.key) }.map { "and h.id > \($0)" } ?? ""
        return """
            select h.id, h.hint_text from public.hints h
            where \(fragment: isPending(model, vault)) \(fragment: place)
            order by h.id limit \(limit)
            """
    }

    package static func text(_ row: Row) throws(PostgresError) -> PendingText {
        let hint = PendingHint(id: try row.decode("id"), stored: try row.decode("hint_text"))
        return PendingText(key: hint.id.description, text: hint.text) { update(hint, $0) }
    }

    /// Gives a hint its embedding, if it still says what was embedded.
    static func update(_ hint: PendingHint, _ embedding: Embedding) -> SQLQuery {
        """
        update public.hints h
        set hint_embedding = \(PostgresVector(embedding.values)), hint_embedding_model = \(embedding.model)
        where h.id = \(hint.id) and h.hint_text = \(hint.stored)
        """
    }

    private static func isPending(_ model: String, _ vault: PostgresUUID?) -> SQLQuery {
        let pending: SQLQuery = "(h.hint_embedding is null or h.hint_embedding_model is distinct from \(model))"
        guard let vault else { return pending }
        return "\(fragment: pending) and h.vault_id = \(vault)"
    }
}

/// Embeddings of the catalogue's items in the database, a vault's own and everybody's.
package struct ItemEmbeddingStore: EmbeddingStore {
    package let pool: ConnectionPool

    package init(_ pool: ConnectionPool) {
        self.pool = pool
    }

    package static func count(_ model: String, _ vault: PostgresUUID?) -> SQLQuery {
        "select count(*) as n from public.catalogue_items c where \(fragment: isPending(model, vault))"
    }

    package static func page(
        _ model: String,
        _ vault: PostgresUUID?,
        after last: PendingText?,
        _ limit: Int
    ) -> SQLQuery {
        let place: SQLQuery = last.flatMap { Int64($0.key) }.map { "and c.id > \($0)" } ?? ""
        let pending: SQLQuery = "\(fragment: isPending(model, vault)) \(fragment: place)"
        return CatalogueStatements.items(where: pending, limit: limit)
    }

    /// What an encoder gets of an item; nothing of one that is no candidate, for no search offers it.
    package static func text(_ row: Row) throws(PostgresError) -> PendingText {
        let id = try row.decode("id", as: Int64.self)
        let title = try row.decode("title", as: String.self)
        let description = try row.decode("description", as: String?.self)
        let tags = try row.decode("tags", as: [String?].self)
        var items = FoundItems()
        _ = try items.add(one: row)
        return PendingText(key: String(id), text: items.candidates.first.map { MeaningText.of($0) } ?? "") {
            embedding in
            """
            update public.catalogue_items c
            set embedding = \(PostgresVector(embedding.values)), embedding_model = \(embedding.model)
            where c.id = \(id) and c.title = \(title) and c.description is not distinct from \(description)
                and c.tags = \(tags)
            """
        }
    }

    private static func isPending(_ model: String, _ vault: PostgresUUID?) -> SQLQuery {
        let pending: SQLQuery = "c.embedding_model is distinct from \(model)"
        guard let vault else { return pending }
        return "\(fragment: pending) and c.vault_id = \(vault)"
    }
}
