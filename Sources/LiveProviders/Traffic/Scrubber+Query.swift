package import HTTPClient

extension Scrubber {
    /// Hides whatever a reply repeats of its call's query, as services do in links to the next page: the words that were
    /// asked are a person's notes, and the place is where they live.
    package convenience init(queryOf request: HTTPRequest) {
        let query = request.url.drop { $0 != "?" }.dropFirst().prefix { $0 != "#" }
        var hidden: [Hidden] = []
        for pair in query.split(separator: "&") {
            let name = pair.prefix { $0 != "=" }
            let value = String(pair.dropFirst(name.count + 1))
            for form in Self.forms(of: value) { hidden.append(Hidden("\(name)=\(form)", as: "asked", isSecret: false)) }
        }
        self.init(hidden)
    }

    /// The ways that a value may come back: as it was sent, with small digits, with plus signs for spaces, and plain.
    private static func forms(of value: String) -> Set<String> {
        let plain = decoded(value)
        let written = HTTPRequest.encoded(plain)
        let quoted = plain.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
        return [
            value, value.lowercased(), written, written.replacing("%20", with: "+"),
            written.lowercased().replacing("%20", with: "+"), plain, quoted, plain.replacing(" ", with: "+"),
        ]
    }

    private static func decoded(_ value: String) -> String {
        var bytes: [UInt8] = []
        var rest = Array(value.utf8)[...]
        while let byte = rest.popFirst() {
            let digits = String(decoding: rest.prefix(2), as: UTF8.self)
            if byte == UInt8(ascii: "%"), digits.utf8.count == 2, let code = UInt8(digits, radix: 16) {
                bytes.append(code)
                rest = rest.dropFirst(2)
            } else {
                bytes.append(byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
