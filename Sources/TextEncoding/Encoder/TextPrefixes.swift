/// What a model wants in front of texts.
package struct TextPrefixes: Sendable, Equatable {
    package var query: String
    package var passage: String

    package init(query: String = "", passage: String = "") {
        self.query = query
        self.passage = passage
    }

    package subscript(role: TextRole) -> String {
        switch role {
        case .query: query
        case .passage: passage
        }
    }
}
