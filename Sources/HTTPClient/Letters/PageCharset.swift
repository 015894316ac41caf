/// What a page is written in, by its mark, its header or its own words: UTF-8, UTF-16, or letters that are older.
package struct PageCharset {
    /// The page in UTF-8.
    package let utf8: [UInt8]
    /// Whether its words can be read; of other letters only those of ASCII can.
    package let isReadable: Bool

    /// Where a page says what it is written in.
    private static let headBytes = 2_048
    private static let western: Set<String> = [
        "iso-8859-1", "iso8859-1", "iso_8859-1", "latin1", "latin-1", "windows-1252", "cp1252", "x-cp1252",
        "us-ascii", "ascii",
    ]
    /// What begins letters of another kind in pages that have nothing but ASCII otherwise.
    private static let escape: UInt8 = 0x1B

    /// The header of a page counts with its parameters.
    package init(_ page: [UInt8], contentType: String?) {
        if let wide = Self.utf16(page, named: Self.name(in: contentType ?? "")) {
            (utf8, isReadable) = (wide, true)
            return
        }
        let isOlder = page.contains { $0 >= 0x80 } && !Self.isUTF8(page)
        guard isOlder || page.contains(Self.escape) else {
            (utf8, isReadable) = (page, true)
            return
        }
        let head = String(decoding: page.prefix(Self.headBytes).filter { $0 < 0x80 }, as: UTF8.self)
        let name = Self.name(in: contentType ?? "") ?? Self.name(in: head)
        if let older = name.flatMap(OlderLetters.init)?.utf8(of: page) {
            (utf8, isReadable) = (older, true)
        } else if name == "utf-8" || name == "utf8" || !isOlder || name == nil && Self.isMostlyUTF8(page) {
            (utf8, isReadable) = (page, true)
        } else if name.map(Self.western.contains) ?? Self.isWestern(page) {
            (utf8, isReadable) = (WesternLetters.utf8(of: page), true)
        } else {
            // What stands between the letters of ASCII is unknown, and is read as that.
            (utf8, isReadable) = (page.map { $0 < 0x80 ? $0 : 0x20 }, false)
        }
    }

    /// Whether hardly anything is not, as where something else was put into a page.
    private static func isMostlyUTF8(_ page: [UInt8]) -> Bool {
        let beyond = String(decoding: page, as: UTF8.self).unicodeScalars.filter { $0.value >= 0x80 }
        return beyond.count { $0 == "\u{FFFD}" } * 10 <= beyond.count
    }

    /// Whether a page that does not say it may be of western Europe, where letters beyond ASCII stand among those of it.
    private static func isWestern(_ page: [UInt8]) -> Bool {
        let (beyond, together) = zip(page, page.dropFirst()).reduce(into: (0, 0)) { counts, pair in
            guard pair.1 >= 0x80 else { return }
            counts.0 += 1
            if pair.0 >= 0x80 { counts.1 += 1 }
        }
        return together * 2 <= beyond
    }

    /// What follows the first `charset=`, in small letters.
    private static func name(in text: String) -> String? {
        let bytes = Array(text.lowercased().utf8)
        let mark = Array("charset".utf8)
        var index = 0
        while index + mark.count < bytes.count {
            guard bytes[index] == mark[0], bytes[index...].starts(with: mark) else {
                index += 1
                continue
            }
            index += mark.count
            let value = bytes[index...].drop { $0 == 0x20 }
            guard value.first == 0x3D else { continue }
            let name = value.dropFirst().drop { $0 == 0x20 || $0 == 0x22 || $0 == 0x27 }.prefix {
                isOfName($0)
            }
            return name.isEmpty ? nil : String(decoding: name, as: UTF8.self)
        }
        return nil
    }

    private static func isOfName(_ byte: UInt8) -> Bool {
        (0x61...0x7A).contains(byte) || (0x30...0x39).contains(byte) || byte >= 0x80 || byte == 0x2D || byte == 0x5F
    }

    /// Of two bytes a letter, where a mark says so or the header does; nil where it is no such page.
    private static func utf16(_ page: [UInt8], named name: String?) -> [UInt8]? {
        let isBig: Bool
        switch (page.first, page.dropFirst().first) {
        case (0xFF, 0xFE): isBig = false
        case (0xFE, 0xFF): isBig = true
        // Without a mark the first sign of a page tells, which is one of ASCII.
        case (0, let byte?) where byte > 0: isBig = true
        case (let byte?, 0) where byte > 0: isBig = false
        default:
            guard name == "utf-16be" || name == "utf-16le" || name == "utf-16" else { return nil }
            isBig = name == "utf-16be"
        }
        var units: [UInt16] = []
        units.reserveCapacity(page.count / 2)
        for index in stride(from: 0, to: page.count - page.count % 2, by: 2) {
            let (first, second) = (UInt16(page[index]), UInt16(page[index + 1]))
            units.append(isBig ? first << 8 | second : second << 8 | first)
        }
        return Array(String(decoding: units.drop { $0 == 0xFEFF }, as: UTF16.self).utf8)
    }

    /// Also where the page is cut inside a letter, which has four bytes at most.
    private static func isUTF8(_ page: [UInt8]) -> Bool {
        (0...3).contains { String(validating: page.dropLast($0), as: UTF8.self) != nil }
    }
}
