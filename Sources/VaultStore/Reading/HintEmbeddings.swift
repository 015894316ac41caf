/// Which embeddings are read with a vault's hints: they are most of its bytes, and take most of its time.
package enum HintEmbeddings: Sendable, Hashable {
    case none
    /// Those that this model made.
    case of(model: String)
    /// Of whichever model, and of unknown ones.
    case all

    /// The one model whose vectors are read, if it is one.
    var model: String? {
        if case .of(let model) = self { model } else { nil }
    }

    /// The column's place in the statement.
    var column: SQLQuery {
        switch self {
        case .none: "null::pg_catalog.text"
        case .of(let model): "case when h.hint_embedding_model = \(model) then h.hint_embedding end"
        case .all: "h.hint_embedding"
        }
    }
}
