/// A text in the fields that a ranking by words weighs differently.
package struct FieldedText: Sendable, Hashable {
    package let title: String
    package let tags: [String]
    package let body: [String]

    package init(title: String = "", tags: [String] = [], body: [String] = []) {
        self.title = title
        self.tags = tags
        self.body = body
    }
}
