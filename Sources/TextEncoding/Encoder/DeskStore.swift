import Synchronization

/// Places to work that are free at the moment, so that a call finds its memory where the last one left it.
final class DeskStore: Sendable {
    private let free = Mutex<[EncoderDesk]>([])

    /// More are let go, should many calls have run at once.
    private static let most = 4

    func take() -> EncoderDesk? {
        free.withLock { $0.popLast() }
    }

    func put(_ desk: EncoderDesk) {
        free.withLock { desks in
            if desks.count < Self.most { desks.append(desk) }
        }
    }
}
