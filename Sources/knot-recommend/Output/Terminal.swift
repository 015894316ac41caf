import Glibc

/// What the output may look like: how wide, with colour or without, with drawn lines or plain ones.
struct Terminal: Sendable, Equatable {
    let isTerminal: Bool
    /// Whether a line can be gone back to and written anew.
    let canRewrite: Bool
    /// Columns to fill, between 40 and 100; 80 where nobody says.
    let width: Int
    let hasColour: Bool
    /// Whether lines and bars may use characters beyond ASCII.
    let hasDrawing: Bool

    /// No terminal at all: plain text of 80 columns.
    static let plain = Terminal(isTerminal: false, width: 80, hasColour: false, hasDrawing: false)

    init(isTerminal: Bool, width: Int, hasColour: Bool, hasDrawing: Bool) {
        self.isTerminal = isTerminal
        canRewrite = isTerminal
        self.width = width
        self.hasColour = hasColour
        self.hasDrawing = hasDrawing
    }

    /// Looks at a descriptor and the environment; `choice` is what `--color` and `NO_COLOR` came to.
    init(descriptor: Int32, environment: Environment, colour choice: ColourChoice) {
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
    func bold(_ text: String) -> String { styled(text, "1") }
    func dim(_ text: String) -> String { styled(text, "2") }
    func green(_ text: String) -> String { styled(text, "32") }
    func yellow(_ text: String) -> String { styled(text, "33") }
    func red(_ text: String) -> String { styled(text, "31") }

    /// A line across the page.
    func rule(_ width: Int) -> String {
        String(repeating: hasDrawing ? "\u{2500}" : "-", count: width)
    }

    /// A small bar of up to `width` marks.
    func bar(_ share: Double, width: Int) -> String {
        guard share.isFinite, share > 0 else { return "" }
        let count = max(1, Int((min(1, share) * Double(width)).rounded()))
        return String(repeating: hasDrawing ? "\u{25A0}" : "=", count: count)
    }

    private func styled(_ text: String, _ code: String) -> String {
        hasColour ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
    }
}
