/// Addresses compared as people mean them: no scheme, no "www", no tracking, no trailing slash, no fragment.
enum CanonicalURL {
    static func key(_ url: String) -> String {
        var text = Substring(url.lowercased().prefix(2_048))
        if let scheme = text.firstRange(of: "://") { text = text[scheme.upperBound...] }
        if text.hasPrefix("www.") { text = text.dropFirst(4) }
        if let fragment = text.firstIndex(of: "#") { text = text[..<fragment] }
        let parts = text.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        var path = parts.first ?? ""
        while path.hasSuffix("/") { path = path.dropLast() }
        guard parts.count == 2 else { return String(path) }
        let query = parts[1].split(separator: "&").filter { !isTracking($0) }.sorted()
        return query.isEmpty ? String(path) : path + "?" + query.joined(separator: "&")
    }

    private static func isTracking(_ parameter: Substring) -> Bool {
        let name = parameter.prefix { $0 != "=" }
        return name.hasPrefix("utm_") || ["gclid", "fbclid", "ref", "tag", "aff", "affid", "mc_cid", "mc_eid"].contains(name)
    }
}
