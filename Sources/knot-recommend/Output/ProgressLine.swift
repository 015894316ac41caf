import Synchronization

/// One line on a terminal's standard error that says what is being done, and is gone when it is done.
///
/// It is rewritten by going back to its start and never by escapes, which not every terminal understands.
final class ProgressLine: Sendable {
    private struct State {
        /// Columns; nil while nothing is to be shown.
        var width: Int?
        var shown = 0
    }

    private let state = Mutex(State())

    /// The process has one terminal, and a signal must be able to tidy it.
    static let shared = ProgressLine()

    /// Shows lines from now on; called only for a terminal that can go back, and when nobody asked for quiet.
    func enable(width: Int) {
        state.withLock { $0.width = max(4, width - 1) }
    }

    /// Replaces the line.
    func show(_ text: String) {
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
    func erase() {
        let shown = state.withLock { state in
            defer { state.shown = 0 }
            return state.shown
        }
        guard shown > 0 else { return }
        _ = StandardStream.writeAll(Array("\r\(String(repeating: " ", count: shown))\r".utf8), to: 2)
    }
}
