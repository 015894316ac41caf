import Glibc

/// A socket to a port of this machine that says exactly what it is told.
final class RawClient {
    private let descriptor: Int32

    struct NoConnection: Error {}

    init(port: Int) throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(port).bigEndian
        address.sin_addr.s_addr = in_addr_t(0x7f00_0001).bigEndian
        let result = unsafe withUnsafePointer(to: &address) { pointer in
            // An IPv4 address is one of the forms of a socket address, and its size is given.
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard result == 0 else { throw NoConnection() }
    }

    deinit {
        close(descriptor)
    }

    func say(_ text: String) {
        let bytes = Array(text.utf8)
        // The bytes outlive the call, which reads as many as are counted; nobody may listen any more.
        _ = unsafe bytes.withUnsafeBytes { unsafe send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
    }

    /// Says that nothing more comes.
    func finish() { shutdown(descriptor, Int32(SHUT_WR)) }

    /// Everything until the end of the connection, or until a text has come.
    func hear(until mark: String? = nil) -> String {
        var heard: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4_096)
        while true {
            var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            // One entry, alive for the call.
            guard unsafe poll(&entry, 1, 30_000) > 0 else { return "nothing more for 30 s" }
            // The call writes at most as many bytes as the buffer has.
            let count = unsafe recv(descriptor, &buffer, 4_096, 0)
            guard count > 0 else { break }
            heard += buffer.prefix(count)
            if let mark, String(decoding: heard, as: UTF8.self).contains(mark) { break }
        }
        return String(decoding: heard, as: UTF8.self)
    }
}
