/// What an embedding is kept under: the model that made it and the text it was made of.
package struct EmbeddingKey: Hashable, Sendable {
    package let model: String
    package let text: TextDigest

    package init(model: String, text: TextDigest) {
        self.model = model
        self.text = text
    }

    /// Of a text itself; `variant` names what beside model and text decides the numbers, such as a precision or a prefix.
    package init(model: String, variant: String = "", text: String) {
        self.init(model: model, text: TextDigest(of: text, variant: variant))
    }
}
