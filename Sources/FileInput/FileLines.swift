import Glibc

/// The lines of a file, a pipe or standard input, read piece by piece: the memory does not grow with the file.
package final class FileLines {
    /// One line without its end.
    package struct Line {
        /// From 1.
        package let number: Int
        package let bytes: [UInt8]
        /// True where it is longer than lines may be; the rest of it is left out.
        package let isCut: Bool
    }

    private let descriptor: Int32
    private let isOurs: Bool
    private let limit: Int
    private var buffer: [UInt8] = []
    private var place = 0
    private var number = 0

    /// Opens a file, or takes standard input; of a line no more bytes are kept than the limit.
    package init(_ path: String, limit: Int) throws(FileFault) {
        self.limit = limit
        isOurs = !FileContents.isStandardInput(path)
        if isOurs {
            try FileContents.look(at: path, takesFolders: false)
            descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
            guard descriptor >= 0 else { throw .last }
        } else {
            descriptor = 0
        }
    }

    deinit {
        if isOurs { _ = close(descriptor) }
    }

    /// The next line, the first one without a mark of the byte order; nil at the end.
    package func next() throws(FileFault) -> Line? {
        var bytes: [UInt8] = []
        var isCut = false
        var isOver = false
        while !isOver {
            if place == buffer.count {
                buffer = try FileContents.piece(of: descriptor)
                place = 0
                guard !buffer.isEmpty else {
                    if bytes.isEmpty, !isCut { return nil }
                    break
                }
            }
            let rest = buffer[place...]
            let end = rest.firstIndex(of: UInt8(ascii: "\n"))
            let part = rest[..<(end ?? rest.endIndex)]
            isCut = isCut || bytes.count + part.count > limit
            bytes += part.prefix(limit - bytes.count)
            place = end.map { $0 + 1 } ?? buffer.count
            isOver = end != nil
        }
        number += 1
        if number == 1, bytes.starts(with: [0xEF, 0xBB, 0xBF]) { bytes.removeFirst(3) }
        return Line(number: number, bytes: bytes, isCut: isCut)
    }
}
