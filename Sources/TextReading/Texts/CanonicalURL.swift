/// Addresses compared as people mean them: no scheme, no "www", no tracking, no trailing slash, no fragment.
package enum CanonicalURL {
    package static func key(_ url: String) -> String {
        var letters = Array(url.utf8.prefix(2_048))
        for place in letters.indices { letters[place] = lowered(letters[place]) }
        var bytes = letters[...]
        if let mark = bytes.firstIndex(of: UInt8(ascii: "#")) { bytes = bytes[..<mark] }
        if let colon = bytes.firstIndex(of: UInt8(ascii: ":")), bytes[colon...].starts(with: "://".utf8) {
            bytes = bytes[(colon + 3)...]
        }
        if bytes.starts(with: "www.".utf8) { bytes = bytes.dropFirst(4) }
        let mark = bytes.firstIndex(of: UInt8(ascii: "?")) ?? bytes.endIndex
        var path = bytes[..<mark]
        while path.last == UInt8(ascii: "/") { path = path.dropLast() }
        let text = String(decoding: path, as: UTF8.self)
        let query = bytes[mark...].dropFirst()
        guard !query.isEmpty else { return text }
        let kept = query.split(separator: UInt8(ascii: "&")).map { String(decoding: $0, as: UTF8.self) }
            .filter { !isTracking($0, in: text) }.sorted()
        return kept.isEmpty ? text : text + "?" + kept.joined(separator: "&")
    }

    private static func lowered(_ byte: UInt8) -> UInt8 {
        (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte + 32 : byte
    }

    private static let trackers: Set<String> = ["gclid", "fbclid", "ref", "aff", "affid", "mc_cid", "mc_eid"]

    private static func isTracking(_ parameter: String, in path: String) -> Bool {
        let name = parameter.prefix { $0 != "=" }
        if name == "tag" { return isAmazon(path) }
        return name.hasPrefix("utm_") || trackers.contains(String(name))
    }

    /// There a tag is an affiliate's; elsewhere it may name the thing.
    private static func isAmazon(_ path: String) -> Bool {
        path.prefix { $0 != "/" }.split(separator: ".").contains("amazon")
    }
}
