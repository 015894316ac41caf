extension JSONValue {
    /// The same without any U+0000, which many that texts are handed to cannot store.
    package var withoutZeros: JSONValue {
        switch self {
        case .null, .bool, .integer, .number: self
        case .string(let text): text.utf8.contains(0) ? .string(text.withoutZeros) : self
        case .array(let items): .array(items.map(\.withoutZeros))
        case .object(let object):
            .object(
                JSONObject(object.members.map { .init(name: $0.name.withoutZeros, value: $0.value.withoutZeros) })
            )
        }
    }
}

extension String {
    /// The same without any U+0000.
    package var withoutZeros: String {
        utf8.contains(0) ? String(unicodeScalars.filter { $0 != "\0" }.map(Character.init)) : self
    }
}
