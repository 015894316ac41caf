/// Something to be found.
package struct RetrievalDocument: Sendable {
    package let id: String
    /// What an encoder or a plain ranking reads.
    package let text: String
    /// The same in the fields that the project's own ranking by words weighs.
    package let title: String
    package let tags: [String]
    package let body: [String]

    package init(id: String, text: String, title: String = "", tags: [String] = [], body: [String] = []) {
        self.id = id
        self.text = text
        self.title = title
        self.tags = tags
        self.body = body
    }

    /// A document of one field.
    package init(id: String, text: String) {
        self.init(id: id, text: text, title: "", tags: [], body: [text])
    }
}
