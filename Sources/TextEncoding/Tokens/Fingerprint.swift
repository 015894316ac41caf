/// A word as one 64-bit number (FNV-1a), so that words are compared and looked up without touching their letters.
///
/// Two different words share a fingerprint once in 2⁶⁴ pairs, which no collection of texts here comes near.
package enum Fingerprint {
    package static func of(_ word: String) -> UInt64 {
        var print: UInt64 = 0xcbf2_9ce4_8422_2325
        for byte in word.utf8 { print = (print ^ UInt64(byte)) &* 0x100_0000_01b3 }
        return print
    }

    /// The fingerprint of a word's UTF-8.
    static func of(_ word: [UInt8]) -> UInt64 {
        var print: UInt64 = 0xcbf2_9ce4_8422_2325
        for byte in word { print = (print ^ UInt64(byte)) &* 0x100_0000_01b3 }
        return print
    }
}
