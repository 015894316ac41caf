/// The host of an address.
enum WebHost {
    /// In small letters, without `www.`; nil where there is none.
    static func name(of url: String) -> String? {
        guard let start = url.firstRange(of: "://") else { return nil }
        let authority = url[start.upperBound...].prefix { !"/?#\\".contains($0) }
        let host = authority.split(separator: "@").last?.split(separator: ":").first?.lowercased()
        return host.map { $0.hasPrefix("www.") ? String($0.dropFirst(4)) : $0 }
    }
}
