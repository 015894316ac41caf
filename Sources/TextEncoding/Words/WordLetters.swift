/// The folded letters of one word while it is read and stemmed; the memory is kept from word to word.
struct WordLetters {
    /// Room for the longest word there is, with some to spare for what a single letter may fold to.
    private static let capacity = 128

    private var bytes = [UInt8](repeating: 0, count: capacity)
    private(set) var count = 0

    init() {}

    init(_ word: some Sequence<UInt8>) {
        append(contentsOf: word)
    }

    var isEmpty: Bool { count == 0 }
    var last: UInt8? { count == 0 ? nil : bytes[count - 1] }

    subscript(index: Int) -> UInt8 {
        get { bytes[index] }
        set { bytes[index] = newValue }
    }

    /// What there is no room for is left out.
    mutating func append(_ byte: UInt8) {
        guard count < Self.capacity else { return }
        bytes[count] = byte
        count += 1
    }

    mutating func append(contentsOf word: some Sequence<UInt8>) {
        for byte in word { append(byte) }
    }

    /// Appends a run of ASCII letters, in lower case, and digits, and returns the place behind it.
    ///
    /// The word grows up to `longest` bytes and the rest of the run is read over; its fingerprint is carried on.
    mutating func appendRun(of text: Span<UInt8>, from start: Int, longest: Int, fingerprint: inout UInt64) -> Int {
        var place = start
        var length = count
        var hash = fingerprint
        var letters = bytes.mutableSpan
        while place < text.count {
            let letter = Self.folded(text[place])
            if letter == 0 { break }
            if length < longest {
                letters[length] = letter
                length += 1
                hash = Fingerprint.adding(letter, to: hash)
            }
            place += 1
        }
        count = length
        fingerprint = hash
        return place
    }

    /// An ASCII letter in lower case or a digit; 0 for every other byte.
    @inline(__always) static func folded(_ byte: UInt8) -> UInt8 {
        let lower = byte | 0x20
        if lower &- UInt8(ascii: "a") < 26 { return lower }
        return byte &- UInt8(ascii: "0") < 10 ? byte : 0
    }

    mutating func removeLast(_ length: Int = 1) { count -= length }

    mutating func removeAll() { count = 0 }

    mutating func remove(at place: Int) {
        for index in place..<(count - 1) { bytes[index] = bytes[index + 1] }
        count -= 1
    }

    /// Keeps the first letters only.
    mutating func cut(to length: Int) { count = length }

    /// Whether the letters from a place on are these and no others.
    func ends(in word: String, from start: Int = 0) -> Bool {
        bytes[start..<max(start, count)].elementsEqual(word.utf8)
    }

    var fingerprint: UInt64 {
        var fingerprint = Fingerprint.empty
        for index in 0..<count { fingerprint = Fingerprint.adding(bytes[index], to: fingerprint) }
        return fingerprint
    }

    var text: String { String(decoding: bytes[..<count], as: UTF8.self) }
}

extension WordLetters {
    /// The fingerprints of the word's runs of a few neighbouring characters; none of a word that is no longer than one.
    ///
    /// By them a word finds its other forms where no stem is known: "кошки" is a "кошка", and "커피" is in "커피잔".
    var pieces: [UInt64] {
        var starts = (0..<count).filter { self[$0] & 0xC0 != 0x80 }
        guard let first = text.unicodeScalars.first else { return [] }
        let length = Self.pieceLength(of: first.value)
        guard starts.count > length else { return [] }
        starts.append(count)
        return (0..<starts.count - length).map { start in
            (starts[start]..<starts[start + length]).reduce(Fingerprint.empty) { Fingerprint.adding(self[$1], to: $0) }
        }
    }

    /// In how many characters of its script a word says what it is about.
    private static func pieceLength(of scalar: UInt32) -> Int {
        switch scalar {
        // Syllables: Hangul and Ethiopic.
        case 0xAC00...0xD7A3, 0x1200...0x139F: 2
        // Hebrew and Arabic write hardly any vowels.
        case 0x590...0x8FF: 3
        default: 4
        }
    }
}

/// A few letters a word may end in, compared as one number instead of letter by letter.
struct WordEnding {
    /// The letters' ASCII codes, the last letter lowest.
    private let letters: UInt64
    private let length: Int

    @inline(__always) private init(_ letters: UInt64, length: Int) {
        self.letters = letters
        self.length = length
    }

    /// Written out where it is used, so that the length is known there and the loop is none.
    @inline(__always) func ends(_ word: WordLetters) -> Bool {
        guard word.count >= length else { return false }
        var tail: UInt64 = 0
        for index in (word.count - length)..<word.count { tail = tail << 8 | UInt64(word[index]) }
        return tail == letters
    }

    // Worked out where they are used: a stored static would be asked for millions of times.
    @inline(__always) static var at: Self { Self(0x6174, length: 2) }
    @inline(__always) static var ation: Self { Self(0x61_7469_6F6E, length: 5) }
    @inline(__always) static var bl: Self { Self(0x626C, length: 2) }
    @inline(__always) static var ed: Self { Self(0x6564, length: 2) }
    @inline(__always) static var eed: Self { Self(0x65_6564, length: 3) }
    @inline(__always) static var ied: Self { Self(0x69_6564, length: 3) }
    @inline(__always) static var ies: Self { Self(0x69_6573, length: 3) }
    @inline(__always) static var ing: Self { Self(0x69_6E67, length: 3) }
    @inline(__always) static var britishS: Self { Self(0x6973, length: 2) }
    @inline(__always) static var ise: Self { Self(0x69_7365, length: 3) }
    @inline(__always) static var ised: Self { Self(0x6973_6564, length: 4) }
    @inline(__always) static var ises: Self { Self(0x6973_6573, length: 4) }
    @inline(__always) static var ising: Self { Self(0x69_7369_6E67, length: 5) }
    @inline(__always) static var iz: Self { Self(0x697A, length: 2) }
    @inline(__always) static var ll: Self { Self(0x6C6C, length: 2) }
    @inline(__always) static var ller: Self { Self(0x6C6C_6572, length: 4) }
    @inline(__always) static var our: Self { Self(0x6F_7572, length: 3) }
    @inline(__always) static var sses: Self { Self(0x7373_6573, length: 4) }
}
