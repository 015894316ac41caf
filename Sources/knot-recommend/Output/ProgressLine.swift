import Synchronization

/// One line on a terminal's standard error that says what is being done, and is gone when it is done.
final class ProgressLine: Sendable {
    private struct State {
        var isEnabled = false
        var isShown = false
    }

    private let state = Mutex(State())

    /// The process has one terminal, and a signal must be able to tidy it.
    static let shared = ProgressLine()

    /// Shows lines from now on; called only when standard error is a terminal and nobody asked for quiet.
    func enable() {
        state.withLock { $0.isEnabled = true }
    }

    /// Replaces the line.
    func show(_ text: String, width: Int) {
        let isWanted = state.withLock { state in
            guard state.isEnabled else { return false }
            state.isShown = true
            return true
        }
        guard isWanted else { return }
        let line = TextLayout.truncated(TerminalText.safe(text, limit: 400), to: max(4, width - 1))
        _ = StandardStream.writeAll(Array("\r\u{1B}[2K\(line)".utf8), to: 2)
    }

    /// Removes the line; anything else printed must come after this.
    func erase() {
        let wasShown = state.withLock { state in
            defer { state.isShown = false }
            return state.isShown
        }
        if wasShown { _ = StandardStream.writeAll(Array("\r\u{1B}[2K".utf8), to: 2) }
    }
}
