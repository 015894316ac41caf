/// Pages of shops that are older than UTF-8: Windows-1252, of which ISO 8859-1 is a part as far as pages are concerned.
enum WesternLetters {
    /// What the bytes from 0x80 to 0x9F stand for; the others stand for themselves.
    private static let letters: [UInt32] = [
        0x20AC, 0x81, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160, 0x2039, 0x0152, 0x8D,
        0x017D, 0x8F, 0x90, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014, 0x02DC, 0x2122, 0x0161, 0x203A,
        0x0153, 0x9D, 0x017E, 0x0178,
    ]

    /// A page that is written in them, in UTF-8.
    static func utf8(of page: [UInt8]) -> [UInt8] {
        var text: [UInt8] = []
        text.reserveCapacity(page.count + page.count / 8)
        for byte in page {
            let value = (0x80..<0xA0).contains(byte) ? letters[Int(byte) - 0x80] : UInt32(byte)
            text += Unicode.Scalar(value).map { Array(String($0).utf8) } ?? []
        }
        return text
    }
}
