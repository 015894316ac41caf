import Glibc

/// A service manager's socket, which keeps what it is told.
package final class NotifyListener {
    private let descriptor: Int32
    package let name: String

    /// A path, or a name that begins with `@`.
    package init(_ name: String) throws {
        self.name = name
        descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        var bytes = Array(name.utf8)
        if bytes.first == 0x40 { bytes[0] = 0 }
        // The name has fewer bytes than the address takes.
        unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: bytes) }
        let size = socklen_t(MemoryLayout<sa_family_t>.size + bytes.count)
        let result = unsafe withUnsafePointer(to: &address) { pointer in
            // A Unix address is one of the forms of a socket address, and its size is given.
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { unsafe bind(descriptor, $0, size) }
        }
        guard result == 0 else { throw DatabaseTestError("nobody can listen at \(name)") }
    }

    deinit {
        close(descriptor)
    }

    /// The datagrams since the last time, their lines joined by `|`.
    package var told: [String] {
        var all: [String] = []
        var buffer = [UInt8](repeating: 0, count: 4_096)
        while true {
            // The call writes at most as many bytes as the buffer has.
            let count = unsafe recv(descriptor, &buffer, 4_096, 0)
            guard count > 0 else { return all }
            all.append(String(decoding: buffer.prefix(count), as: UTF8.self).replacing("\n", with: "|"))
        }
    }
}
