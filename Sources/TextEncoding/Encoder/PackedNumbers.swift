/// Numbers written as text, five bits to a character, the lowest first; a character from 32 on says that more follow.
///
/// This is how `bench/encoder/tables.py` writes its tables.
struct PackedNumbers {
    private var characters: String.UTF8View.Iterator

    init(_ text: String) { characters = text.utf8.makeIterator() }

    /// Ranges that are written as the gap since the last one's end, and a length.
    func runs() -> [ClosedRange<UInt32>] {
        var numbers = self
        var runs: [ClosedRange<UInt32>] = []
        var last: UInt32 = 0
        while let gap = numbers.next(), let length = numbers.next() {
            runs.append(last + gap...last + gap + length - 1)
            last += gap + length - 1
        }
        return runs
    }

    /// Characters and what they become: a gap, a count less one, and distances from one result to the next.
    func mapping() -> [(scalar: UInt32, result: [UInt32])] {
        var numbers = self
        var mapping: [(UInt32, [UInt32])] = []
        var scalar: UInt32 = 0
        var target: UInt32 = 0
        while let gap = numbers.next(), let more = numbers.next() {
            scalar += gap
            var result: [UInt32] = []
            for _ in 0...more {
                guard let distance = numbers.next() else { break }
                target = distance & 1 == 0 ? target + distance >> 1 : target - (distance >> 1) - 1
                result.append(target)
            }
            mapping.append((scalar, result))
        }
        return mapping
    }

    private mutating func next() -> UInt32? {
        var value: UInt32 = 0
        var shift: UInt32 = 0
        while let character = characters.next() {
            let digit = Self.digit(character)
            value |= (digit & 31) << shift
            shift += 5
            if digit < 32 { return value }
        }
        return nil
    }

    private static func digit(_ character: UInt8) -> UInt32 {
        switch character {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): UInt32(character) - 65
        case UInt8(ascii: "a")...UInt8(ascii: "z"): UInt32(character) - 97 + 26
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(character) - 48 + 52
        case UInt8(ascii: "+"): 62
        default: 63
        }
    }
}
