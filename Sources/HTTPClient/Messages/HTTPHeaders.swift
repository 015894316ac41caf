package import FileInput

/// One header; a secret one shows its name only.
package struct HTTPHeader: Sendable, Hashable {
    package let name: String
    package let value: String
    /// Whether the value is left out of every description.
    package let isSecret: Bool

    package init(_ name: String, _ value: String) {
        self.name = name
        self.value = value
        isSecret = false
    }

    /// A header whose value is a secret, with what stands before it: `HTTPHeader("Authorization", "Bearer ", secret: key)`.
    package init(_ name: String, _ prefix: String = "", secret: Secret) {
        self.name = name
        value = prefix + secret.exposed
        isSecret = true
    }

    /// Names of headers that hold credentials whoever made them.
    private static let sensitive: Set<String> = [
        "authorization", "proxy-authorization", "cookie", "set-cookie", "x-api-key", "api-key",
        "x-shopify-storefront-access-token", "x-goog-api-key",
    ]

    /// The value, or stars where it is a secret.
    package var shownValue: String { isSecret || Self.sensitive.contains(name.lowercased()) ? "***" : value }
}

extension HTTPHeader: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    package var description: String { "\(name): \(shownValue)" }
    package var debugDescription: String { description }
    package var customMirror: Mirror { Mirror(self, children: ["header": description]) }
}

/// The headers of a response in their order; a name means the same in capitals and in small letters.
package struct HTTPHeaders: Sendable, Hashable {
    package private(set) var all: [HTTPHeader] = []

    package init(_ headers: [HTTPHeader] = []) {
        all = headers
    }

    /// None, with room for so many.
    init(room: Int) {
        all.reserveCapacity(room)
    }

    package mutating func append(_ header: HTTPHeader) {
        all.append(header)
    }

    /// The first value of a name.
    package subscript(_ name: String) -> String? {
        all.first { Self.isSame($0.name, name) }?.value
    }

    /// All values of a name, in their order.
    package func values(of name: String) -> [String] {
        all.filter { Self.isSame($0.name, name) }.map(\.value)
    }

    private static func isSame(_ one: String, _ other: String) -> Bool {
        one.utf8.count == other.utf8.count && zip(one.utf8, other.utf8).allSatisfy { lowered($0) == lowered($1) }
    }

    private static func lowered(_ byte: UInt8) -> UInt8 {
        (0x41...0x5A).contains(byte) ? byte | 0x20 : byte
    }
}

extension HTTPHeaders: ExpressibleByDictionaryLiteral {
    package init(dictionaryLiteral elements: (String, String)...) {
        all = elements.map { HTTPHeader($0.0, $0.1) }
    }
}
