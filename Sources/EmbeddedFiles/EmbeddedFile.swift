import CEmbeddedFiles

/// A file of another room that the command carries, such as a migration or the page of `serve`.
///
/// `embedded_files.c` lists them all. A new file needs its lines there, and the room that owns it excludes it from its own
/// sources in `Package.swift`.
package enum EmbeddedFile {
    /// Returns a file's bytes, copied.
    ///
    /// A name that isn't listed is a programming error, because every caller names a file of its own.
    package static func bytes(named name: String) -> [UInt8] {
        var size = 0
        guard let start = unsafe knot_embedded_file(name, &size) else {
            preconditionFailure("embedded_files.c lists no \(name)")
        }
        // The bytes are constants of the program, and `size` is their number.
        return unsafe [UInt8](UnsafeBufferPointer(start: start, count: size))
    }

    /// Returns a file's text, which is UTF-8.
    ///
    /// `embedded_files.c` lists the names, without folders.
    package static func text(named name: String) -> String {
        String(decoding: bytes(named: name), as: UTF8.self)
    }
}
