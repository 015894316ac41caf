import Glibc

/// Letters of pages that are older than UTF-8, by the names that browsers take for them; the system knows what they are.
struct OlderLetters {
    /// What the system calls them.
    private let name: String

    /// The system's names, each with what pages call it; whatever is not here nobody reads.
    private static let rows = """
        CP1250 windows-1250 cp1250 x-cp1250
        CP1251 windows-1251 cp1251 x-cp1251
        CP1253 windows-1253 cp1253
        CP1254 windows-1254 cp1254 iso-8859-9 iso8859-9 iso_8859-9 latin5
        CP1255 windows-1255 cp1255
        CP1256 windows-1256 cp1256
        CP1257 windows-1257 cp1257
        CP1258 windows-1258 cp1258
        CP874 windows-874 tis-620 iso-8859-11
        ISO-8859-2 iso-8859-2 iso8859-2 iso_8859-2 latin2
        ISO-8859-3 iso-8859-3 latin3
        ISO-8859-4 iso-8859-4 latin4
        ISO-8859-5 iso-8859-5 cyrillic
        ISO-8859-6 iso-8859-6 arabic
        ISO-8859-7 iso-8859-7 greek
        ISO-8859-8 iso-8859-8 iso-8859-8-i hebrew
        ISO-8859-10 iso-8859-10 latin6
        ISO-8859-13 iso-8859-13
        ISO-8859-14 iso-8859-14
        ISO-8859-15 iso-8859-15 iso8859-15 iso_8859-15 latin9 latin-9
        ISO-8859-16 iso-8859-16
        KOI8-R koi8-r koi8_r koi8
        KOI8-U koi8-u koi8-ru
        IBM866 ibm866 cp866
        MACINTOSH macintosh x-mac-roman
        CP932 shift_jis shift-jis sjis x-sjis ms_kanji windows-31j ms932
        EUC-JP-MS euc-jp eucjp x-euc-jp
        ISO-2022-JP iso-2022-jp
        UHC euc-kr euckr ks_c_5601-1987 ksc5601 ks_c_5601 korean windows-949 cp949
        GB18030 gb18030 gbk gb2312 gb_2312-80 x-gbk chinese cp936
        BIG5-HKSCS big5 big5-hkscs cn-big5 x-x-big5
        """

    private static let names: [Substring: Substring] = {
        var names: [Substring: Substring] = [:]
        for row in rows.split(separator: "\n") {
            let words = row.split(separator: " ")
            for word in words.dropFirst() { names[word] = words[0] }
        }
        return names
    }()

    /// Nil for letters that nobody knows; a name is in small letters.
    init?(named label: String) {
        guard let name = Self.names[label[...]] else { return nil }
        self.name = String(name)
    }

    private static let pieceBytes = 4_096
    private static let unknown = Array("\u{FFFD}".utf8)

    /// A page in UTF-8, whose end may be cut within a letter; nil where the system does not have these letters.
    func utf8(of page: [UInt8]) -> [UInt8]? {
        guard let converter = unsafe iconv_open("UTF-8", name), Int(bitPattern: converter) != -1 else {
            return nil
        }
        defer { unsafe _ = iconv_close(converter) }
        var text: [UInt8] = []
        text.reserveCapacity(page.count * 2)
        var source = page.map { CChar(bitPattern: $0) }
        var piece = [CChar](repeating: 0, count: Self.pieceBytes)
        unsafe source.withUnsafeMutableBufferPointer { source in
            var next = source.baseAddress
            var left = source.count
            while left > 0 {
                // Both lists outlive the call, which moves within as many bytes as it is told that there are.
                let (written, error) = unsafe piece.withUnsafeMutableBufferPointer { room -> (Int, Int32) in
                    var end = room.baseAddress
                    var free = room.count
                    let result = unsafe iconv(converter, &next, &left, &end, &free)
                    return (room.count - free, result == -1 ? errno : 0)
                }
                text += piece[..<written].map { UInt8(bitPattern: $0) }
                if error == E2BIG, written > 0 { continue }
                // What is no letter is left out; half of one at the end is where the page was cut.
                guard error == EILSEQ, left > 0 else { break }
                text += Self.unknown
                unsafe next = next.map { unsafe $0 + 1 }
                left -= 1
            }
        }
        return text
    }
}
