import JSONDocument

/// One `--set node.parameter=value`.
struct ParameterSetting: Sendable, Equatable {
    let node: String
    /// May itself have dots, such as `weights.hints`.
    let parameter: String
    /// The text as JSON where it is such, else a string.
    let value: JSONValue

    /// Nil unless node, parameter and value are all there.
    init?(_ text: String) {
        guard let equals = text.firstIndex(of: "=") else { return nil }
        let key = text[..<equals]
        let raw = String(text[text.index(after: equals)...])
        guard let dot = key.firstIndex(of: ".") else { return nil }
        let node = key[..<dot]
        let parameter = key[key.index(after: dot)...]
        guard !node.isEmpty, !parameter.isEmpty, !raw.isEmpty else { return nil }
        self.node = String(node)
        self.parameter = String(parameter)
        do throws(JSONSyntaxError) {
            value = try JSONParser.parse(raw)
        } catch {
            // Not JSON is how a plain word is typed: quoting it twice for the shell would be a trap.
            value = .string(raw)
        }
    }
}
