/// A URL of which everybody reads the same: what two readers could take for different places is refused.
package struct HTTPURL: Sendable, Hashable {
    package enum Scheme: String, Sendable {
        case https
        case http

        package var port: Int { self == .https ? 443 : 80 }
    }

    package enum Host: Sendable, Hashable {
        /// In lower case, letters, digits, hyphens and dots.
        case name(String)
        case address(IPAddress)
    }

    package let scheme: Scheme
    package let host: Host
    package let port: Int
    /// Path and query, from the slash; nothing of a fragment.
    package let target: String
    /// As it is sent: the scheme, the host in its one form, the port where it is not the scheme's, the target.
    package let text: String
    /// The host as in a URL.
    package let shownHost: String

    /// Why a text is no such URL.
    package enum Refusal: String, Error, Sendable, CaseIterable {
        case tooLong = "it has more than 2,048 bytes"
        case oddCharacter = "it has a character that no URL has"
        case scheme = "it begins neither with https:// nor with http://"
        case user = "it has a user before its host"
        case host = "its host is no name and no address"
        case oddAddress = "its host is an address in an odd form"
        case port = "its port is none"
    }

    package static let mostBytes = 2_048

    package init(_ text: String) throws(Refusal) {
        let bytes = Array(text.utf8)
        guard bytes.count <= Self.mostBytes else { throw .tooLong }
        // Readers differ in what they do about these: some leave them out, some end there, some take \ for /.
        guard bytes.allSatisfy({ $0 > 0x20 && $0 != 0x7F && $0 != 0x5C && $0 != 0x22 && $0 != 0x3C && $0 != 0x3E })
        else {
            throw .oddCharacter
        }
        var rest = bytes[...]
        if Self.dropPrefix("https://", of: &rest) {
            scheme = .https
        } else if Self.dropPrefix("http://", of: &rest) {
            scheme = .http
        } else {
            throw .scheme
        }
        let authority = rest.prefix { $0 != 0x2F && $0 != 0x3F && $0 != 0x23 }
        guard !authority.contains(0x40) else { throw .user }
        let named = try Self.divided(authority)
        host = try Self.host(named.host)
        port = try named.port.map { port throws(Refusal) in try Self.port(port) } ?? scheme.port
        target = Self.target(rest[authority.endIndex...])
        shownHost =
            switch host {
            case .name(let name): name
            // An address of IPv4 has one form, and that is how it stands there.
            case .address(.v4): String(decoding: named.host, as: UTF8.self)
            case .address(let address): "[\(address)]"
            }
        var sent = scheme == .https ? "https://" : "http://"
        sent.reserveCapacity(bytes.count + 8)
        sent += shownHost
        if port != scheme.port { sent += ":\(port)" }
        sent += target
        self.text = sent
        // Letters of other scripts are longer once they are encoded, and it is that form which is sent and read again.
        guard self.text.utf8.count <= Self.mostBytes else { throw .tooLong }
    }

    /// Whether it names this machine by an address or as `localhost`.
    package var isLoopback: Bool {
        switch host {
        case .name(let name): name == "localhost"
        case .address(let address): address.isLoopback
        }
    }

    /// The URL that a `Location` means: absolute, of the same scheme, of the same host, or beside the same page.
    package func following(_ location: String) throws(Refusal) -> HTTPURL {
        let lowered = location.lowercased()
        if lowered.hasPrefix("https:") || lowered.hasPrefix("http:") { return try HTTPURL(location) }
        if location.hasPrefix("//") { return try HTTPURL("\(scheme.rawValue):\(location)") }
        let origin = "\(scheme.rawValue)://\(shownHost):\(port)"
        if location.hasPrefix("/") { return try HTTPURL(origin + location) }
        let path = target.prefix { $0 != "?" }
        if location.isEmpty || location.hasPrefix("?") || location.hasPrefix("#") {
            return try HTTPURL(origin + path + location)
        }
        // A colon before any slash begins another scheme: javascript:, file:, data:.
        guard !location.prefix(while: { $0 != "/" && $0 != "?" && $0 != "#" }).contains(":") else { throw .scheme }
        let folder = path.lastIndex(of: "/").map { path[...$0] } ?? "/"
        return try HTTPURL(origin + folder + location)
    }
}

extension HTTPURL {
    private static func dropPrefix(_ prefix: String, of bytes: inout ArraySlice<UInt8>) -> Bool {
        let expected = Array(prefix.utf8)
        guard bytes.count >= expected.count, zip(bytes, expected).allSatisfy({ lowered($0) == $1 }) else {
            return false
        }
        bytes = bytes.dropFirst(expected.count)
        return true
    }

    private static func lowered(_ byte: UInt8) -> UInt8 { (0x41...0x5A).contains(byte) ? byte | 0x20 : byte }

    private static func divided(
        _ authority: ArraySlice<UInt8>
    ) throws(Refusal) -> (host: ArraySlice<UInt8>, port: ArraySlice<UInt8>?) {
        if authority.first == 0x5B {
            guard let end = authority.firstIndex(of: 0x5D) else { throw .host }
            let after = authority[(end + 1)...]
            guard after.isEmpty || after.first == 0x3A else { throw .host }
            return (authority[...end], after.isEmpty ? nil : after.dropFirst())
        }
        guard let colon = authority.firstIndex(of: 0x3A) else { return (authority, nil) }
        return (authority[..<colon], authority[(colon + 1)...])
    }

    private static func port(_ digits: ArraySlice<UInt8>) throws(Refusal) -> Int {
        guard (1...5).contains(digits.count), digits.allSatisfy({ (0x30...0x39).contains($0) }), digits.first != 0x30
        else {
            throw .port
        }
        let value = digits.reduce(0) { $0 * 10 + Int($1 & 15) }
        guard value <= 65_535 else { throw .port }
        return value
    }

    private static func host(_ bytes: ArraySlice<UInt8>) throws(Refusal) -> Host {
        if bytes.first == 0x5B {
            let inner = String(decoding: bytes.dropFirst().dropLast(), as: UTF8.self)
            guard let address = IPAddress(inner), case .v6 = address else { throw .oddAddress }
            return .address(address)
        }
        let name = String(decoding: bytes.map(lowered), as: UTF8.self)
        // Of addresses only those of IPv4 have no brackets, and those begin with a digit.
        if bytes.first.map({ (0x30...0x39).contains($0) }) == true, let address = IPAddress(name) {
            return .address(address)
        }
        guard (1...253).contains(bytes.count) else { throw .host }
        let labels = name.utf8.split(separator: 0x2E, omittingEmptySubsequences: false)
        for label in labels {
            guard (1...63).contains(label.count), label.first != 0x2D, label.last != 0x2D,
                label.allSatisfy({
                    (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || $0 == 0x2D || $0 == 0x5F
                })
            else { throw .host }
        }
        // What ends in a number is read as an address by whoever takes its odd forms: 127.1, 0x7f.1, 2130706433.
        if let last = labels.last, isNumber(Array(last)) { throw .oddAddress }
        return .name(name)
    }

    private static func isNumber(_ label: [UInt8]) -> Bool {
        if label.allSatisfy({ (0x30...0x39).contains($0) }) { return true }
        guard label.starts(with: [0x30, 0x78]) else { return false }
        return label.dropFirst(2).allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
    }

    /// From the slash to the fragment; letters of other scripts are encoded.
    private static func target(_ bytes: ArraySlice<UInt8>) -> String {
        let end = bytes.firstIndex(of: 0x23) ?? bytes.endIndex
        if bytes.first == 0x2F, bytes[..<end].allSatisfy({ $0 < 0x80 }) {
            return String(decoding: bytes[..<end], as: UTF8.self)
        }
        let digits = Array("0123456789ABCDEF".utf8)
        var target: [UInt8] = bytes.first == 0x2F ? [] : [0x2F]
        for byte in bytes[..<end] {
            if byte < 0x80 {
                target.append(byte)
            } else {
                target += [0x25, digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return String(decoding: target, as: UTF8.self)
    }
}
