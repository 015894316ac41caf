import Glibc

/// Where a server listens: an address and a port, as `127.0.0.1:9464` or `[::1]:9464`.
package struct ListenAddress: Sendable, Hashable, CustomStringConvertible {
    /// A numeric address, without brackets.
    package let host: String
    /// 0 for any that is free.
    package let port: Int

    package static let loopback = ListenAddress(host: "127.0.0.1", port: 0)

    private init(host: String, port: Int) {
        self.host = host
        self.port = port
    }

    /// Reads the address, whose port may stand alone and then means this machine only; nil where it is none.
    package init?(_ text: String) {
        let colon = text.lastIndex(of: ":")
        let digits = colon.map { text[text.index(after: $0)...] } ?? text[...]
        guard (1...5).contains(digits.utf8.count), digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
            let port = Int(digits), port <= 65_535
        else { return nil }
        var host = colon.map { text[..<$0] } ?? "127.0.0.1"
        if host == "localhost" { host = "127.0.0.1" }
        if host.hasPrefix("["), host.hasSuffix("]") {
            host = host.dropFirst().dropLast()
            guard host.contains(":") else { return nil }
        } else if host.contains(":") {
            return nil
        }
        guard Self.isNumeric(String(host)) else { return nil }
        self.init(host: String(host), port: port)
    }

    /// The same address with another port.
    package func at(port: Int) -> ListenAddress { ListenAddress(host: host, port: port) }

    /// Whether nobody but this machine can reach it.
    package var isLoopback: Bool { host.hasPrefix("127.") || host == "::1" }

    package var description: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }

    private static func isNumeric(_ host: String) -> Bool {
        var bytes = in6_addr()
        // The address outlives the calls, and has room for either kind.
        return unsafe inet_pton(AF_INET, host, &bytes) == 1 || inet_pton(AF_INET6, host, &bytes) == 1
    }

    /// A socket that listens there and never blocks, with the port it got; throws the system's words where there is none.
    func listen() throws(OperationsServerError) -> (descriptor: Int32, port: Int) {
        var hints = unsafe addrinfo()
        unsafe hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        unsafe hints.ai_flags = AI_NUMERICHOST | AI_NUMERICSERV | AI_PASSIVE
        var list: UnsafeMutablePointer<addrinfo>?
        // The texts end with a zero, the hints outlive the call, and the list is freed below.
        guard unsafe getaddrinfo(host, String(port), &hints, &list) == 0, let entry = unsafe list else {
            throw OperationsServerError(address: self, words: "is no address of this machine")
        }
        defer { unsafe freeaddrinfo(list) }
        let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue)
        let descriptor = unsafe socket(entry.pointee.ai_family, kind, 0)
        guard descriptor >= 0 else { throw .last(self, "cannot be listened at") }
        var isOn: Int32 = 1
        // After a restart the old connections still linger at the port.
        _ = unsafe setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &isOn, socklen_t(MemoryLayout<Int32>.size))
        // The entry is alive until the list is freed.
        guard unsafe bind(descriptor, entry.pointee.ai_addr, entry.pointee.ai_addrlen) == 0,
            Glibc.listen(descriptor, 64) == 0, let port = Self.port(of: descriptor)
        else {
            let error = OperationsServerError.last(self, "cannot be listened at")
            close(descriptor)
            throw error
        }
        return (descriptor, port)
    }

    private static func port(of descriptor: Int32) -> Int? {
        var address = sockaddr_storage()
        var size = socklen_t(MemoryLayout<sockaddr_storage>.size)
        let result = unsafe withUnsafeMutablePointer(to: &address) { pointer in
            // The storage has room for every kind of address.
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe getsockname(descriptor, $0, &size)
            }
        }
        guard result == 0 else { return nil }
        // Both kinds have the port behind the family, in the network's order.
        return unsafe withUnsafeBytes(of: &address) { bytes in
            Int(UInt16(bigEndian: unsafe bytes.loadUnaligned(fromByteOffset: 2, as: UInt16.self)))
        }
    }
}

/// Why a server cannot listen.
package struct OperationsServerError: Error, Sendable, Hashable, CustomStringConvertible {
    package let address: ListenAddress
    /// What is the matter, as it stands in a sentence about the address.
    package let words: String

    package var description: String { "\(address) \(words)." }

    /// What the number says that the call just before left behind.
    fileprivate static func last(_ address: ListenAddress, _ what: String) -> OperationsServerError {
        let number = errno
        let words =
            switch number {
            case EADDRINUSE: "\(what): another program listens there; stop it or take another port"
            case EACCES, EPERM: "\(what): ports below 1024 need rights; take a higher one"
            case EADDRNOTAVAIL: "\(what): this machine has no such address"
            default: "\(what): error \(number) of the system"
            }
        return OperationsServerError(address: address, words: words)
    }
}
