import FoundationEssentials
import JSONDocument

#if canImport(Glibc)
import Glibc
#endif

/// A file of a public data set, read where it lies.
struct DatasetFile {
    let path: String

    /// The rows of a table behind its line of names.
    func rows(columns: Int) throws(RetrievalError) -> [[String]] {
        try lines().dropFirst().map { line throws(RetrievalError) in
            let row = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
            guard row.count == columns else { throw RetrievalError("\(path) has a row of \(row.count) columns") }
            return row
        }
    }

    /// One JSON document for each line.
    func documents() throws(RetrievalError) -> [JSONValue] {
        try lines().map { line throws(RetrievalError) in
            do throws(JSONSyntaxError) {
                return try JSONParser.parse(Array(line.utf8))
            } catch {
                throw RetrievalError("\(path) has a line that is not JSON: \(error)")
            }
        }
    }

    private func lines() throws(RetrievalError) -> [Substring] {
        let bytes =
            path.hasSuffix(".gz") ? try unpacked() : FileManager.default.contents(atPath: path).map { [UInt8]($0) }
        guard let bytes, !bytes.isEmpty else {
            throw RetrievalError("\(path) is missing or empty; KNOT_SHARED names the folder")
        }
        // At the byte: a character that merely looks like the end of a line is part of a text.
        return bytes.split(separator: UInt8(ascii: "\n")).map { Substring(decoding: $0, as: UTF8.self) }
    }

    /// What `gzip` makes of the file.
    private func unpacked() throws(RetrievalError) -> [UInt8]? {
        let quoted = "'" + path.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
        guard let pipe = unsafe popen("gzip -dc -- \(quoted)", "r") else { return nil }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        let room = buffer.count
        while true {
            // The call writes at most as many bytes as the buffer has.
            let count = unsafe fread(&buffer, 1, room, pipe)
            if count == 0 { break }
            bytes.append(contentsOf: buffer[..<count])
        }
        guard unsafe pclose(pipe) == 0 else { throw RetrievalError("gzip could not unpack \(path)") }
        return bytes
    }
}
