import JSONDocument

/// What `embed` did with one kind of texts.
struct EmbeddedPart: Sendable {
    let name: String
    let things: String
    /// How many had no vector at the start.
    let pending: Int
    let stored: Int
    /// Those that changed meanwhile, and those with nothing to embed.
    var left = 0

    var json: JSONValue {
        ["pending": .integer(pending), "embedded": .integer(stored), "left": .integer(left)]
    }

    func line(_ model: String) -> String {
        let rest = left == 0 ? "" : ", \(left) left for the next time"
        return "\(stored) of \(max(pending, stored + left)) \(things) embedded with \(model)\(rest)"
    }
}
