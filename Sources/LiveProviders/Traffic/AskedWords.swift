import HTTPClient

/// Hides what a call asked for where its reply repeats it: the words are a person's notes, and the place is where they live.
///
/// It is looked for where services repeat it, in links and as members of a document. A title that happens to say the same
/// stays, or what is made of the reply later would differ from what was made of it at first.
struct AskedWords {
    private struct Value {
        /// As it may be written, in small letters, the longest first.
        let forms: [[UInt8]]
        /// The parameter that it is hidden in, in small letters; nil for words, which are hidden in any, and in members.
        let parameter: String?
    }

    private let values: [Value]
    /// For each byte whether a value may begin with it: few signs of a text are looked at longer.
    private var isFirst = [Bool](repeating: false, count: 256)

    private static let mark = Array("{asked}".utf8)
    /// Names of members for a text that was searched for.
    private static let members: Set<String> = [
        "q", "query", "keyword", "keywords", "term", "terms", "search", "searchterm", "searchterms", "search_term",
        "search_terms", "searchquery", "search_query", "searchtext", "search_text", "words", "find_desc",
    ]
    /// A pair that is shorter says nothing of anybody, and stands in many a link.
    private static let leastPair = 8

    init(of request: HTTPRequest) {
        let query = request.url.drop { $0 != "?" }.dropFirst().prefix { $0 != "#" }
        var values: [Value] = []
        for pair in query.split(separator: "&") where pair.utf8.count >= Self.leastPair {
            let name = pair.prefix { $0 != "=" }.lowercased()
            let value = Self.decoded(String(pair.dropFirst(name.utf8.count + 1)))
            values.append(Value(forms: Self.forms(of: value), parameter: name))
        }
        for words in Set(request.words) where words.utf8.count > 1 {
            values.append(Value(forms: Self.forms(of: words), parameter: nil))
        }
        self.values = values
        for form in values.flatMap(\.forms) {
            isFirst[Int(form[0])] = true
            if (0x61...0x7A).contains(form[0]) { isFirst[Int(form[0] & 0xDF)] = true }
        }
    }

    /// The ways that a text may come back: as it is sent in a query, with plus signs for spaces, in a link inside of a link,
    /// and plain, as JSON writes it too.
    private static func forms(of text: String) -> [[UInt8]] {
        let written = HTTPRequest.encoded(text)
        let quoted = text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
        let forms = [
            written, written.replacing("%20", with: "+"), written.replacing("%", with: "%25"), text, quoted,
            text.replacing(" ", with: "+"), quoted.replacing("/", with: "\\/"),
        ]
        let folded = Set(forms.map { $0.utf8.map(Self.small) }).filter { !$0.isEmpty }
        return folded.sorted { $0.count != $1.count ? $0.count > $1.count : $0.lexicographicallyPrecedes($1) }
    }

    /// A reply without them.
    func hidden(in text: [UInt8]) -> [UInt8] {
        guard !values.isEmpty else { return text }
        var result: [UInt8] = []
        var copied = 0
        var place = 0
        while place < text.count {
            let found =
                switch text[place] {
                case UInt8(ascii: "="): parameter(text, at: place, valueAt: place + 1)
                case UInt8(ascii: "%") where Self.stands(Self.codedEquals, in: text, at: place):
                    parameter(text, at: place, valueAt: place + Self.codedEquals.count)
                case UInt8(ascii: ":"): member(text, at: place)
                default: Range<Int>?.none
                }
            if let found {
                result += text[copied..<found.lowerBound]
                result += Self.mark
                copied = found.upperBound
                place = found.upperBound
            } else {
                place += 1
            }
        }
        return copied == 0 ? text : result + text[copied...]
    }

    private static let codedEquals = Array("%3d".utf8)

    /// The value of a parameter of a link, where it is one that was asked for.
    private func parameter(_ text: [UInt8], at sign: Int, valueAt start: Int) -> Range<Int>? {
        guard start < text.count, isFirst[Int(text[start])] else { return nil }
        for value in values {
            guard let end = Self.end(of: value, in: text, from: start), !Self.isOfValue(text, end) else { continue }
            guard let parameter = value.parameter else { return start..<end }
            if Self.name(in: text, before: sign) == parameter { return start..<end }
        }
        return nil
    }

    /// The text of a member of a document, where it is all that was asked for and the member is called as what was.
    private func member(_ text: [UInt8], at colon: Int) -> Range<Int>? {
        // Documents may stand inside of texts of others.
        var start = colon + 1
        while start < text.count, [0x20, 0x5C].contains(text[start]) { start += 1 }
        guard start < text.count, text[start] == UInt8(ascii: "\""), colon > 0 else { return nil }
        start += 1
        guard start < text.count, isFirst[Int(text[start])] else { return nil }
        for value in values where value.parameter == nil {
            guard let end = Self.end(of: value, in: text, from: start), end < text.count,
                [UInt8(ascii: "\""), UInt8(ascii: "\\")].contains(text[end])
            else { continue }
            var quote = colon - 1
            while quote > 0, text[quote] == 0x20 { quote -= 1 }
            guard text[quote] == UInt8(ascii: "\"") else { return nil }
            while quote > 0, text[quote - 1] == UInt8(ascii: "\\") { quote -= 1 }
            if Self.members.contains(Self.name(in: text, before: quote)) { return start..<end }
        }
        return nil
    }

    private static func end(of value: Value, in text: [UInt8], from start: Int) -> Int? {
        value.forms.first { stands($0, in: text, at: start) }.map { start + $0.count }
    }

    /// Whether a text in small letters stands there in letters of any size.
    private static func stands(_ form: [UInt8], in text: [UInt8], at start: Int) -> Bool {
        guard start + form.count <= text.count else { return false }
        for number in form.indices where small(text[start + number]) != form[number] { return false }
        return true
    }

    private static func small(_ byte: UInt8) -> UInt8 { (0x41...0x5A).contains(byte) ? byte | 0x20 : byte }

    /// The longest name that is looked for.
    private static let longestName = 64

    /// The word that ends there, in small letters.
    private static func name(in text: [UInt8], before end: Int) -> String {
        var start = end
        while start > 0, end - start < longestName, isOfName(text[start - 1]) { start -= 1 }
        return String(decoding: text[start..<end].map(small), as: UTF8.self)
    }

    private static func isOfName(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || (0x61...0x7A).contains(small(byte)) || byte == 0x5F || byte == 0x2D
            || byte == 0x2E
    }

    /// Whether a parameter's value goes on there.
    private static func isOfValue(_ text: [UInt8], _ place: Int) -> Bool {
        guard place < text.count else { return false }
        return isOfName(text[place]) || text[place] >= 0x80 || text[place] == 0x2B || text[place] == 0x7E
            || text[place] == 0x25 && !stands(Array("%26".utf8), in: text, at: place)
    }

    private static func decoded(_ value: String) -> String {
        var bytes: [UInt8] = []
        var rest = Array(value.utf8)[...]
        while let byte = rest.popFirst() {
            let digits = String(decoding: rest.prefix(2), as: UTF8.self)
            if byte == UInt8(ascii: "%"), digits.utf8.count == 2, let code = UInt8(digits, radix: 16) {
                bytes.append(code)
                rest = rest.dropFirst(2)
            } else {
                bytes.append(byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
