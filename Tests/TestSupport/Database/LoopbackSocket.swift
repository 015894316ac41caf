import Glibc

/// Plain blocking sockets on this machine, for proxies and servers that only tests have.
enum LoopbackSocket {
    /// Listens on any free port of 127.0.0.1.
    static func listen() throws -> (descriptor: Int32, port: Int) {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = in_addr_t(0x7f00_0001).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let result = unsafe withUnsafeMutablePointer(to: &address) { pointer in
            // An IPv4 address is one of the forms of a socket address, and its size is given.
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                unsafe bind(descriptor, address, size) == 0 && Glibc.listen(descriptor, 64) == 0
                    && getsockname(descriptor, address, &size) == 0
            }
        }
        guard descriptor >= 0, result else { throw DatabaseTestError("no port of 127.0.0.1 can be listened at") }
        return (descriptor, Int(UInt16(bigEndian: address.sin_port)))
    }

    /// Connects to a Unix socket; nil when nobody listens there.
    static func connect(path: String) -> Int32? {
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let bytes = Array(path.utf8)
        let isFitting = unsafe withUnsafeMutableBytes(of: &address.sun_path) { target in
            guard bytes.count < target.count else { return false }
            unsafe target.copyBytes(from: bytes)
            return true
        }
        let size = socklen_t(MemoryLayout<sockaddr_un>.size)
        let result = unsafe withUnsafePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe Glibc.connect(descriptor, $0, size)
            }
        }
        guard isFitting, result == 0 else {
            close(descriptor)
            return nil
        }
        return descriptor
    }

    /// Whatever has arrived; nil at the end.
    static func read(_ descriptor: Int32) -> [UInt8]? {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        let size = buffer.count
        let count = unsafe Glibc.read(descriptor, &buffer, size)
        return count > 0 ? Array(buffer.prefix(count)) : nil
    }

    /// False when the other side has gone.
    static func write(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = unsafe rest.withUnsafeBytes {
                unsafe send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }
}
