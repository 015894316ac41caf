package import Console

/// Files that hold keys, as variables that end in `_FILE` name them.
package enum KeyFiles {
    private static let ending = "_FILE"
    /// Reading, by those who are neither the owner nor of the group.
    private static let readByOthers: UInt32 = 0o004

    /// A remark on each that every user of this machine can read.
    package static func remarks(_ environment: Environment) -> [String] {
        environment.all.sorted { $0.key < $1.key }.compactMap { name, path in
            guard name.hasSuffix(ending), let status = FileStatus(path: path), status.kind == .regular,
                status.permissions & readByOthers != 0
            else { return nil }
            return "every user of this machine can read the file that \(name) names: chmod 600 \(path)"
        }
    }
}
