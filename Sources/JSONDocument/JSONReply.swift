/// A document that another party wrote, read as far as it is whole.
///
/// An item of its outermost lists that cannot be read is left out, and so is a member around them; what cannot be a character
/// becomes U+FFFD. Decimals are strings of what was written, for amounts that no binary number may touch.
package struct JSONReply: Sendable, Equatable {
    package let value: JSONValue
    /// Whether nothing had to be left out or replaced.
    package let isWhole: Bool

    /// Throws where nothing whole is there, and where reading takes until the deadline.
    package init(_ bytes: [UInt8], by deadline: ContinuousClock.Instant? = nil) throws(JSONSyntaxError) {
        var parser = JSONParser(bytes, JSONParser.Leniency(deadline: deadline))
        value = try parser.document()
        let damage = parser.leniency?.damage
        isWhole = damage == nil
        if let damage, parser.leniency?.hasItems == false { throw damage }
    }
}

extension JSONParser {
    /// How much of a reply is read, and what was wrong with it.
    struct Leniency {
        /// Items of one list.
        static let mostItems = 5_000
        /// Values of all lists and objects; the longest reply of a service has half of them.
        ///
        /// Each takes up to a hundred bytes, and several replies are held at once.
        private static let mostValues = 100_000
        /// Values between two looks at the clock.
        private static let valuesOfLook = 1_024

        let deadline: ContinuousClock.Instant?
        private(set) var damage: JSONSyntaxError?
        /// Whether an item of an outermost list could be read.
        private(set) var hasItems = false
        /// Whether nothing more is read.
        var isOver = false
        /// Lists around the position.
        var listDepth = 0
        private var values = 0

        init(deadline: ContinuousClock.Instant?) {
            self.deadline = deadline
        }

        mutating func forgives(_ error: JSONSyntaxError) -> Bool {
            damage = damage ?? error
            return true
        }

        mutating func keepItem() { if listDepth == 1 { hasItems = true } }

        /// Counts a value; returns why there may be no more.
        mutating func takeValue() -> String? {
            values += 1
            if values > Self.mostValues {
                isOver = true
                return "there are more than \(Self.mostValues) values"
            }
            guard values % Self.valuesOfLook == 0, let deadline, ContinuousClock.now >= deadline else { return nil }
            isOver = true
            return "the time for reading is over"
        }
    }

    /// Goes on behind what could not be read; true where the list or object ends there.
    ///
    /// Inside of an item nothing is left out: an offer without its dearer variants would have another price.
    mutating func skipDamage(
        from start: Int,
        to closing: UInt8,
        ofItem isItem: Bool,
        _ error: JSONSyntaxError
    ) throws(JSONSyntaxError) -> Bool {
        guard leniency?.listDepth == (isItem ? 1 : 0), leniency?.forgives(error) == true else { throw error }
        guard leniency?.isOver == false else {
            position = bytes.count
            return true
        }
        let isEnd = skim(from: start, to: closing, stopsAtComma: true)
        skipSpace()
        return isEnd
    }

    /// Leaves out the rest of a list that is longer than any reply's.
    mutating func skipRest(from start: Int, to closing: UInt8) throws(JSONSyntaxError) {
        let error = error("a list has more than \(Leniency.mostItems) items")
        guard leniency?.forgives(error) == true else { throw error }
        _ = skim(from: start, to: closing, stopsAtComma: false)
    }

    /// Goes over values without reading them, behind the next comma of their list or behind its end; true for the end.
    private mutating func skim(from start: Int, to closing: UInt8, stopsAtComma: Bool) -> Bool {
        var place = start
        // Counted apart: where a brace is missing, the bracket of the list is still its end.
        var (braces, brackets) = (0, 0)
        while place < bytes.count {
            let byte = bytes[place]
            place += 1
            switch byte {
            case UInt8(ascii: "\""):
                while place < bytes.count, bytes[place] != UInt8(ascii: "\"") {
                    place += bytes[place] == UInt8(ascii: "\\") ? 2 : 1
                }
                place += 1
            case UInt8(ascii: "{"): braces += 1
            case UInt8(ascii: "["): brackets += 1
            case UInt8(ascii: "}") where braces > 0: braces -= 1
            case UInt8(ascii: "]") where brackets > 0: brackets -= 1
            case closing:
                position = place
                return true
            case UInt8(ascii: ",") where stopsAtComma && braces == 0 && brackets == 0:
                position = place
                return false
            default: break
            }
        }
        position = bytes.count
        leniency?.isOver = true
        return true
    }
}
