import Glibc

/// The names in a folder, sorted.
package struct FolderContents: Sendable {
    package let names: [String]
    /// Names that are not UTF-8, their odd bytes written as `\xE9`: no text can hold them, and so no file is opened by them.
    package let unspeakable: [String]

    package init(of folder: String) throws(FileFault) {
        guard let stream = unsafe opendir(folder) else { throw .last }
        defer { _ = unsafe closedir(stream) }
        var names: [String] = []
        var unspeakable: [String] = []
        // An entry is valid until the next call, and its name is copied at once.
        while let entry = unsafe readdir(stream) {
            let bytes = unsafe withUnsafeBytes(of: &entry.pointee.d_name) { unsafe Array($0.prefix { $0 != 0 }) }
            if let name = String(validating: bytes, as: UTF8.self) {
                if name != ".", name != ".." { names.append(name) }
            } else {
                unspeakable.append(OddText.written(bytes))
            }
        }
        self.names = names.sorted()
        self.unspeakable = unspeakable.sorted()
    }
}

/// Bytes that are no text, written so that somebody can tell which they are.
package enum OddText {
    /// ASCII as it is, everything else as `\xE9`.
    package static func written(_ bytes: some Sequence<UInt8>) -> String {
        bytes.reduce(into: "") { text, byte in
            if (0x20..<0x7F).contains(byte) {
                text.unicodeScalars.append(Unicode.Scalar(byte))
            } else {
                let digits = String(byte, radix: 16, uppercase: true)
                text += "\\x" + (digits.count == 1 ? "0" : "") + digits
            }
        }
    }
}
