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
