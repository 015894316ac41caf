package import JSONDocument

/// One `--set node.parameter=value`.
package struct CommandLineSetting: Sendable, Equatable {
    package let node: NodeID
    package let parameter: String
    package let value: JSONValue

    package init(node: NodeID, parameter: String, value: JSONValue) {
        self.node = node
        self.parameter = parameter
        self.value = value
    }

    /// Reads `node.parameter=value`, where a value that is no JSON is a word; nil when it is not of that form.
    package init?(_ text: String) {
        guard let equals = text.firstIndex(of: "="), let dot = text[..<equals].firstIndex(of: ".") else { return nil }
        let node = text[..<dot]
        let parameter = text[text.index(after: dot)..<equals]
        let written = String(text[text.index(after: equals)...])
        guard !node.isEmpty, !parameter.isEmpty, !written.isEmpty else { return nil }
        self.node = NodeID(String(node))
        self.parameter = String(parameter)
        do throws(JSONSyntaxError) {
            value = try JSONParser.parse(written)
        } catch {
            value = .string(written)
        }
    }
}
