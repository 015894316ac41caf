import Glibc

/// Folders that this program keeps for itself: nobody but their owner enters them.
enum PrivateFolder {
    /// Makes the folders above a file where they are missing; the last one is closed to others where it was open to them.
    static func make(for path: String) throws(CommandError) {
        guard let slash = path.lastIndex(of: "/"), slash != path.startIndex else { return }
        let last = String(path[..<slash])
        var folder = path.hasPrefix("/") ? "" : "."
        for part in last.split(separator: "/") {
            folder += "/" + part
            guard unsafe mkdir(folder, 0o700) != 0 else { continue }
            let fault = SystemFault.last
            // Some systems say of a folder that is there that it may not be made.
            guard fault.number == EEXIST || FileStatus(path: folder)?.kind == .folder else {
                throw CommandError(.inputOutput, fault.message, at: folder, todo: "check the folder above it")
            }
        }
        // Only the program's own folder: a home or a cache of many programs is not ours to close.
        guard last.hasSuffix("/knot-recommend"), let status = FileStatus(path: last), status.permissions & 0o077 != 0
        else { return }
        _ = unsafe chmod(last, 0o700)
    }
}
