/// A word as one 64-bit number (FNV-1a), so that words are compared and looked up without touching their letters.
///
/// Two different words share a fingerprint once in 2⁶⁴ pairs, which no collection of texts here comes near.
package enum Fingerprint {
    package static func of(_ word: String) -> UInt64 {
        var print = empty
        for byte in word.utf8 { print = adding(byte, to: print) }
        return print
    }

    /// The fingerprint of no letters.
    static var empty: UInt64 { 0xcbf2_9ce4_8422_2325 }

    /// The fingerprint of a word that is one byte of UTF-8 longer.
    static func adding(_ byte: UInt8, to print: UInt64) -> UInt64 { (print ^ UInt64(byte)) &* 0x100_0000_01b3 }
}
