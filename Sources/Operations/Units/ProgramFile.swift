import Glibc

/// The file of the running program.
package enum ProgramFile {
    /// Its absolute path; nil where the kernel does not tell.
    package static var path: String? {
        var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
        let capacity = buffer.count
        // The buffer outlives the call, which writes at most its capacity, without a closing zero.
        let count = unsafe readlink("/proc/self/exe", &buffer, capacity)
        guard count > 0, count < capacity else { return nil }
        return String(validating: buffer.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
