import Glibc

/// Why a file or a folder cannot be read.
package struct FileFault: Error, Sendable, Equatable {
    package enum Code: Sendable {
        case missing
        /// A folder where a file is needed.
        case folder
        case notPermitted
        case tooLarge
        /// The system's own reason.
        case failed
    }

    package let code: Code
    /// What is the matter, as it stands in a sentence about the file.
    package let message: String

    package init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    static let folder = FileFault(.folder, "it is a folder, not a file")

    /// What the number says that the call just before left behind.
    static var last: FileFault {
        let number = errno
        return switch number {
        case ENOENT, ENOTDIR, ENAMETOOLONG, ELOOP: FileFault(.missing, "there is no such file")
        case EACCES, EPERM: FileFault(.notPermitted, "it may not be read")
        case EISDIR: .folder
        default: FileFault(.failed, "it cannot be read: \(text(of: number))")
        }
    }

    private static func text(of number: Int32) -> String {
        var buffer = [CChar](repeating: 0, count: 128)
        let capacity = buffer.count
        // The buffer outlives the call, which writes at most its capacity with a closing zero.
        let failed = unsafe buffer.withUnsafeMutableBufferPointer { target -> Int32 in
            guard let start = target.baseAddress else { return -1 }
            return unsafe strerror_r(number, start, capacity)
        }
        let bytes = buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
        return failed == 0 ? String(decoding: bytes, as: UTF8.self).lowercased() : "error \(number)"
    }
}
