/// Finds the line on which a path of a document stands, for messages about files that people edit.
package enum JSONLine {
    /// A list or an object that the search is inside of.
    private struct Level {
        let path: String
        /// The item that comes next; nil in an object.
        var item: Int?
        /// The member whose value comes next.
        var member: String?

        /// The path of the value that comes next.
        var next: String? {
            if let item { return "\(path)[\(item)]" }
            return member.map { path + JSONReader.suffix($0) }
        }
    }

    /// The line, counted from 1; of a path that is not there, that of what it would be part of.
    ///
    /// The document must be valid.
    package static func number(of path: String, in bytes: [UInt8]) -> Int {
        var levels: [Level] = []
        var found = (line: 1, length: 0)
        var line = 1
        var position = 0
        func meet(_ here: String) {
            guard path == here || path.hasPrefix(here + ".") || path.hasPrefix(here + "[") else { return }
            if here.utf8.count > found.length { found = (line, here.utf8.count) }
        }
        while position < bytes.count {
            let byte = bytes[position]
            let next = levels.last.flatMap(\.next) ?? "$"
            switch byte {
            case UInt8(ascii: "\n"): line += 1
            case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r"), UInt8(ascii: ":"): break
            case UInt8(ascii: ","):
                if let last = levels.indices.last { levels[last].item = levels[last].item.map { $0 + 1 } }
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                meet(next)
                levels.append(Level(path: next, item: byte == UInt8(ascii: "[") ? 0 : nil))
            case UInt8(ascii: "}"), UInt8(ascii: "]"): levels.removeLast()
            case UInt8(ascii: "\""):
                let start = position
                position += 1
                while position < bytes.count, bytes[position] != UInt8(ascii: "\"") {
                    position += bytes[position] == UInt8(ascii: "\\") ? 2 : 1
                }
                if let last = levels.indices.last, levels[last].item == nil, isName(endingAt: position, in: bytes) {
                    levels[last].member = text(bytes[start...min(position, bytes.count - 1)])
                    if let here = levels[last].next { meet(here) }
                } else {
                    meet(next)
                }
            default: meet(next)
            }
            position += 1
        }
        return found.line
    }

    /// Whether a colon follows the quote at a position.
    private static func isName(endingAt quote: Int, in bytes: [UInt8]) -> Bool {
        let spaces: Set<UInt8> = [0x20, 0x09, 0x0A, 0x0D]
        return bytes.dropFirst(quote + 1).first { !spaces.contains($0) } == UInt8(ascii: ":")
    }

    private static func text(_ quoted: ArraySlice<UInt8>) -> String {
        do throws(JSONSyntaxError) {
            return try JSONParser.parse(Array(quoted)).string ?? ""
        } catch {
            return ""
        }
    }
}
