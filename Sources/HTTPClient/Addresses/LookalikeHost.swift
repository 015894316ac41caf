extension HTTPURL {
    /// Whether a host looks like another one to people: its letters are of two scripts that share shapes, or are all of
    /// another script and look like ours.
    ///
    /// Names of one script are names: `müller.de`, `пример.рф`, `日本.jp`. A name in its encoded form, `xn--…`, is read first.
    package static func looksLikeAnother(_ host: some StringProtocol) -> Bool {
        let labels = host.lowercased().split { $0 == "." || $0 == "\u{3002}" }.map {
            label -> [UInt32] in
            label.hasPrefix("xn--")
                ? Punycode.decoded(label.utf8.dropFirst(4)) ?? [] : label.unicodeScalars.map(\.value)
        }
        // An encoded name that stands for none is shown in other ways by each reader.
        guard labels.allSatisfy({ !$0.isEmpty }) else { return true }
        let isOurs = (labels.last ?? []).allSatisfy { $0 < 0x80 }
        return labels.contains { label in
            let isMixed = label.contains(where: isLatin) && label.contains(where: sharesShapes)
            let others = label.filter { $0 >= 0x80 }
            return isMixed || others.contains { (0x250...0x2AF).contains($0) }
                || isOurs && !others.isEmpty && others.allSatisfy(twins.contains)
                    && !label.contains(where: isLatin)
        }
    }

    private static func isLatin(_ scalar: UInt32) -> Bool {
        (0x61...0x7A).contains(scalar) || (0xDF...0x24F).contains(scalar)
            || (0x1E00...0x1EFF).contains(scalar)
    }

    /// Greek, Cyrillic, Armenian and Cherokee, whose letters may be taken for Latin ones.
    private static func sharesShapes(_ scalar: UInt32) -> Bool {
        (0x370...0x58F).contains(scalar) || (0x1F00...0x1FFF).contains(scalar)
            || (0x13A0...0x13FF).contains(scalar)
            || (0xAB70...0xABBF).contains(scalar) || (0x1C80...0x1C8F).contains(scalar)
    }

    /// Letters of Cyrillic that look like Latin ones.
    private static let twins: Set<UInt32> = Set("асԁеһіјӏорԛѕԝхуьҽпгѵѡ".unicodeScalars.map(\.value))
}

/// The encoding of names of other scripts in letters of ours, RFC 3492.
enum Punycode {
    /// The scalars of a label without its `xn--`; nil for what stands for none.
    static func decoded(_ label: some Collection<UInt8>) -> [UInt32]? {
        let bytes = Array(label)
        guard bytes.count <= 63 else { return nil }
        let mark = bytes.lastIndex(of: UInt8(ascii: "-"))
        var output = bytes[..<(mark ?? 0)].map(UInt32.init)
        var rest = bytes[(mark.map { $0 + 1 } ?? 0)...]
        var (scalar, index, bias) = (128, 0, 72)
        while !rest.isEmpty {
            let start = index
            var (weight, step) = (1, 36)
            while true {
                guard let byte = rest.popFirst(), let digit = digit(byte), digit * weight < 1 << 40 else {
                    return nil
                }
                index += digit * weight
                let threshold = step <= bias ? 1 : step >= bias + 26 ? 26 : step - bias
                if digit < threshold { break }
                weight *= 36 - threshold
                step += 36
            }
            let count = output.count + 1
            bias = adapted(index - start, count, isFirst: start == 0)
            scalar += index / count
            index %= count
            guard let value = UInt32(exactly: scalar), Unicode.Scalar(value) != nil, value >= 0x80 else {
                return nil
            }
            output.insert(value, at: index)
            index += 1
        }
        return output.isEmpty ? nil : output
    }

    private static func digit(_ byte: UInt8) -> Int? {
        switch byte {
        case 0x61...0x7A: Int(byte) - 0x61
        case 0x30...0x39: Int(byte) - 0x30 + 26
        default: nil
        }
    }

    private static func adapted(_ delta: Int, _ count: Int, isFirst: Bool) -> Int {
        var delta = isFirst ? delta / 700 : delta / 2
        delta += delta / count
        var bias = 0
        while delta > 455 {
            delta /= 35
            bias += 36
        }
        return bias + 36 * delta / (delta + 38)
    }
}
