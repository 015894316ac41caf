/// Finds all secrets in one pass over a text, however a service writes them, in time that depends on the length alone.
///
/// It goes backwards and knows of each place which ends of secrets begin there, a bit for each. So a place where a secret
/// begins is known without a look at what follows, and only there a second pass looks for its end.
struct SecretAutomaton: Sendable {
    /// Bits of one place, in words of 64.
    private var width = 0
    /// For each character the bits whose next character it is.
    private var masks: [UInt64] = []
    /// The bits of first and of last characters.
    private var firsts: [UInt64] = []
    private var lasts: [UInt64] = []
    /// For each byte the part that it can play besides going on with what has begun.
    private var kinds = [Kind](repeating: .other, count: 256)
    private var secrets: [[UInt8]] = []
    /// How many of the first secrets stay whatever is added.
    private var lasting = 0
    /// Later ones that are remembered, such as tokens: each is good for an hour, and a process may run for months.
    private static let mostPassing = 32

    private enum Kind: UInt8 {
        /// Nothing, unless a secret's end begins behind it.
        case other
        /// The last character of a secret.
        case last
        /// An escape may begin here, or a character that is not seen.
        case odd
    }

    /// Places whose bits are remembered: as many as the longest escape needs, in a power of two.
    private static let window = 128

    var isEmpty: Bool { secrets.isEmpty }

    /// Makes the secrets so far those that stay.
    mutating func settle() { lasting = secrets.count }

    /// Adds a secret; false for a text that is no key, as one with a space or beyond ASCII.
    ///
    /// A secret that is there already becomes the latest of those that pass.
    mutating func add(_ secret: String) -> Bool {
        guard !secret.isEmpty, secret.utf8.allSatisfy({ (0x21..<0x7F).contains($0) }) else { return false }
        let bytes = Array(secret.utf8)
        if let known = secrets.firstIndex(of: bytes) {
            guard known >= lasting, known + 1 < secrets.count else { return true }
            secrets.append(secrets.remove(at: known))
        } else {
            secrets.append(bytes)
            if secrets.count > lasting + Self.mostPassing { secrets.remove(at: lasting) }
        }
        build()
        return true
    }

    private mutating func build() {
        width = (secrets.reduce(0) { $0 + $1.count } + 63) / 64
        masks = [UInt64](repeating: 0, count: 128 * width)
        firsts = [UInt64](repeating: 0, count: width)
        lasts = firsts
        for byte in 0..<256 { kinds[byte] = byte >= 0x80 || byte < 0x20 || byte == 0x7F ? .odd : .other }
        var bit = 0
        for secret in secrets {
            Self.set(bit, in: &firsts)
            for byte in secret {
                Self.set(Int(byte) * width * 64 + bit, in: &masks)
                bit += 1
            }
            Self.set(bit - 1, in: &lasts)
            kinds[Int(secret[secret.count - 1])] = .last
        }
        for byte in EscapedReadings.openings { kinds[Int(byte)] = .odd }
    }

    private static func set(_ bit: Int, in bits: inout [UInt64]) { bits[bit / 64] |= 1 << UInt64(bit % 64) }

    /// Returns the places of secrets, in the order of the text; of two that begin at one place the one that ends later.
    func places(in text: [UInt8]) -> [Range<Int>] {
        guard !isEmpty else { return [] }
        var found: [Range<Int>] = []
        for start in starts(in: text).reversed() where start >= found.last?.upperBound ?? 0 {
            if let end = end(in: text, from: start) { found.append(start..<end) }
        }
        return found
    }

    /// The bits of the places near the one that is looked at.
    private struct Bits {
        let width: Int
        var words: [UInt64]
        /// Whether any bit of a place is set; the words of others say nothing.
        var isSet = [Bool](repeating: false, count: window)

        init(width: Int) {
            self.width = width
            words = [UInt64](repeating: 0, count: window * width)
        }

        func slot(_ place: Int) -> Int { place & (window - 1) }

        mutating func clear(_ place: Int) { isSet[slot(place)] = false }

        mutating func merge(_ value: UInt64, _ word: Int, at place: Int) {
            guard value != 0 else { return }
            let slot = slot(place)
            if !isSet[slot] {
                isSet[slot] = true
                for word in 0..<width { words[slot * width + word] = 0 }
            }
            words[slot * width + word] |= value
        }

        func word(_ word: Int, at place: Int) -> UInt64 {
            let slot = slot(place)
            return isSet[slot] ? words[slot * width + word] : 0
        }
    }

    /// Returns the places at which secrets begin, the last one first.
    private func starts(in text: [UInt8]) -> [Int] {
        var starts: [Int] = []
        var bits = Bits(width: width)
        for place in stride(from: text.count - 1, through: 0, by: -1) {
            bits.clear(place)
            let byte = text[place]
            switch kinds[Int(byte)] {
            case .other where !bits.isSet[bits.slot(place + 1)]: continue
            case .odd: EscapedReadings(text, at: place).each { lead(place, to: $0, &bits) }
            default: lead(place, to: .init(value: UInt32(byte), end: place + 1), &bits)
            }
            guard bits.isSet[bits.slot(place)] else { continue }
            if (0..<width).contains(where: { bits.word($0, at: place) & firsts[$0] != 0 }) { starts.append(place) }
        }
        return starts
    }

    /// Notes the ends of secrets that begin with a character and go on behind it.
    private func lead(_ place: Int, to next: EscapedReadings.Character, _ bits: inout Bits) {
        let isLive = bits.isSet[bits.slot(next.end)]
        if isLive, next.isUnseen {
            for word in 0..<width { bits.merge(bits.word(word, at: next.end) & ~firsts[word], word, at: place) }
        }
        guard next.value < 0x80 else { return }
        for word in 0..<width {
            let mask = masks[Int(next.value) * width + word]
            guard mask != 0 else { continue }
            var ends = lasts[word]
            if isLive {
                ends |= bits.word(word, at: next.end) >> 1
                if word + 1 < width { ends |= bits.word(word + 1, at: next.end) << 63 }
            }
            bits.merge(ends & mask, word, at: place)
        }
    }

    /// The last place at which a secret ends that begins there.
    private func end(in text: [UInt8], from start: Int) -> Int? {
        var end: Int?
        // The characters that come next, by place.
        var bits = Bits(width: width)
        for word in 0..<width { bits.merge(firsts[word], word, at: start) }
        var place = start
        var furthest = start
        while place <= furthest {
            defer { place += 1 }
            guard bits.isSet[bits.slot(place)] else { continue }
            EscapedReadings(text, at: place).each { next in
                let isUnseen = next.isUnseen
                for word in 0..<width {
                    let waiting = bits.word(word, at: place)
                    guard waiting != 0 else { continue }
                    if isUnseen { bits.merge(waiting & ~firsts[word], word, at: next.end) }
                    guard next.value < 0x80 else { continue }
                    let matched = waiting & masks[Int(next.value) * width + word]
                    if matched & lasts[word] != 0 { end = max(end ?? 0, next.end) }
                    let going = matched & ~lasts[word]
                    bits.merge(going << 1, word, at: next.end)
                    if word + 1 < width { bits.merge(going >> 63, word + 1, at: next.end) }
                }
                if bits.isSet[bits.slot(next.end)] { furthest = max(furthest, next.end) }
            }
            bits.clear(place)
        }
        return end
    }
}
