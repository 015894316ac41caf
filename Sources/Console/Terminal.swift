import Glibc
import Synchronization

/// What the output may look like: how wide, with colour or without, with drawn lines or plain ones.
package struct Terminal: Sendable, Equatable {
    package let isTerminal: Bool
    /// Whether a line can be gone back to and written anew.
    package let canRewrite: Bool
    /// Columns to fill, between 40 and 100; 80 where nobody says.
    package let width: Int
    package let hasColour: Bool
    /// Whether lines and bars may use characters beyond ASCII.
    package let hasDrawing: Bool

    /// No terminal at all: plain text of 80 columns.
    package static let plain = Terminal(isTerminal: false, width: 80, hasColour: false, hasDrawing: false)

    package init(isTerminal: Bool, width: Int, hasColour: Bool, hasDrawing: Bool) {
        self.isTerminal = isTerminal
        canRewrite = isTerminal
        self.width = width
        self.hasColour = hasColour
        self.hasDrawing = hasDrawing
    }

    /// Looks at a descriptor and the environment; `choice` is what `--color` and `NO_COLOR` came to.
    package init(descriptor: Int32, environment: Environment, colour choice: ColourChoice) {
        let isTerminal = isatty(descriptor) == 1
        let isDumb = ["", "dumb", "unknown"].contains(environment["TERM"] ?? "")
        self.isTerminal = isTerminal
        canRewrite = isTerminal && !isDumb
        width = isTerminal ? min(100, max(40, Self.columns(descriptor, environment) ?? 80)) : 80
        hasColour =
            switch choice {
            case .always: true
            case .never: false
            case .auto: isTerminal && !isDumb
            }
        hasDrawing = isTerminal && !isDumb && choice != .never && Self.speaksUTF8(environment)
    }

    private static func columns(_ descriptor: Int32, _ environment: Environment) -> Int? {
        if let text = environment["COLUMNS"], let columns = Int(text), columns > 0 { return columns }
        var size = winsize()
        // The structure is alive for the call, which fills it.
        guard unsafe ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
        return Int(size.ws_col)
    }

    private static func speaksUTF8(_ environment: Environment) -> Bool {
        let names = ["LC_ALL", "LC_CTYPE", "LANG"]
        let locale = names.lazy.compactMap { environment[$0] }.first { !$0.isEmpty } ?? ""
        let lowered = locale.lowercased()
        return lowered.contains("utf-8") || lowered.contains("utf8")
    }
}

extension Terminal {
    package func bold(_ text: String) -> String { styled(text, "1") }
    package func dim(_ text: String) -> String { styled(text, "2") }
    package func green(_ text: String) -> String { styled(text, "32") }
    package func yellow(_ text: String) -> String { styled(text, "33") }
    package func red(_ text: String) -> String { styled(text, "31") }

    /// A line across the page.
    package func rule(_ width: Int) -> String {
        String(repeating: hasDrawing ? "\u{2500}" : "-", count: width)
    }

    /// A small bar of up to `width` marks.
    package func bar(_ share: Double, width: Int) -> String {
        guard share.isFinite, share > 0 else { return "" }
        let count = max(1, Int((min(1, share) * Double(width)).rounded()))
        return String(repeating: hasDrawing ? "\u{25A0}" : "=", count: count)
    }

    private func styled(_ text: String, _ code: String) -> String {
        hasColour ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
    }
}

/// When output is coloured.
package enum ColourChoice: String, Sendable, CaseIterable {
    /// On a terminal that can.
    case auto
    case always
    case never
}

/// One line on a terminal's standard error that says what is being done, and is gone when it is done.
///
/// It is rewritten by going back to its start and never by escapes, which not every terminal understands.
package final class ProgressLine: Sendable {
    private struct State {
        /// Columns; nil while nothing is to be shown.
        var width: Int?
        var shown = 0
    }

    private let state = Mutex(State())

    /// The process has one terminal, and a signal must be able to tidy it.
    package static let shared = ProgressLine()

    /// Shows lines from now on; called only for a terminal that can go back, and when nobody asked for quiet.
    package func enable(width: Int) {
        state.withLock { $0.width = max(4, width - 1) }
    }

    /// Replaces the line.
    package func show(_ text: String) {
        let line: String? = state.withLock { state in
            guard let width = state.width else { return nil }
            let line = TextLayout.truncated(TerminalText.safe(text, limit: 400), to: width)
            let columns = DisplayWidth.of(line)
            defer { state.shown = columns }
            return "\r" + TextLayout.padded(line, to: state.shown)
        }
        if let line { _ = StandardStream.writeAll(Array(line.utf8), to: 2) }
    }

    /// Removes the line; anything else printed must come after this.
    package func erase() {
        let shown = state.withLock { state in
            defer { state.shown = 0 }
            return state.shown
        }
        guard shown > 0 else { return }
        _ = StandardStream.writeAll(Array("\r\(String(repeating: " ", count: shown))\r".utf8), to: 2)
    }
}

/// Makes text from elsewhere safe to print: no escape sequences, no reordering, no unbounded pile of accents.
package enum TerminalText {
    /// Accents on one letter beyond which they only smear the lines around.
    private static let combiningLimit = 4

    /// The text on one line with everything removed that could steer a terminal or a reader.
    ///
    /// Spaces of all kinds and line breaks become one space; at most `limit` characters are kept, and looked at, so that a title
    /// of a megabyte costs nothing.
    package static func safe(_ text: String, limit: Int = 4_096) -> String {
        var scalars = String.UnicodeScalarView()
        var combining = 0
        var isAfterSpace = true
        for scalar in text.unicodeScalars.prefix(limit) {
            if isSpace(scalar) {
                if !isAfterSpace { scalars.append(" ") }
                isAfterSpace = true
                continue
            }
            guard !isSteering(scalar) else { continue }
            combining = DisplayWidth.isCombining(scalar) ? combining + 1 : 0
            guard combining <= combiningLimit else { continue }
            scalars.append(scalar)
            isAfterSpace = false
        }
        if scalars.last == " " { scalars.removeLast() }
        return String(scalars)
    }

    /// The text on one line with steering characters written out as `\u{1B}`, for messages that quote what was given.
    package static func escaped(_ text: String, limit: Int) -> String {
        var result = ""
        for scalar in text.unicodeScalars.prefix(limit) {
            switch scalar {
            case "\n": result += "\\n"
            case "\r": result += "\\r"
            case "\t": result += "\\t"
            case _ where isSteering(scalar) || scalar.value == 0x2028 || scalar.value == 0x2029:
                result += "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return text.unicodeScalars.dropFirst(limit).isEmpty ? result : result + "..."
    }

    private static func isSpace(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x09...0x0D, 0x20, 0x85, 0xA0, 0x1680, 0x2000...0x200A, 0x2028, 0x2029, 0x202F, 0x205F, 0x3000: true
        default: false
        }
    }

    /// Controls, escapes, reordering marks and invisible characters; the joiner stays, since emoji are made with it.
    static func isSteering(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x00...0x1F, 0x7F...0x9F, 0xAD, 0x034F, 0x061C, 0x115F, 0x1160, 0x180E, 0x3164, 0xFFA0: true
        case 0x200B, 0x200C, 0x200E, 0x200F, 0x202A...0x202E, 0x2060...0x206F, 0xFEFF, 0xFFF9...0xFFFB: true
        case 0xE000...0xF8FF, 0xE0000...0xE0FFF, 0xF0000...0x10FFFF: true
        default: false
        }
    }
}
