import Arguments
import Composition
import Console
import Synchronization
import TestSupport

@testable import Verbs

/// Output kept in memory, optionally failing like a closed pipe or a full disk; it shows no secret that was planted.
final class MemorySink: ByteSink {
    private let bytes = Mutex<[UInt8]>([])
    private let failure: CommandError?

    init(failure: CommandError? = nil) {
        self.failure = failure
    }

    deinit { PlantedSecret.expectAbsent(from: text, of: "an output") }

    func write(_ bytes: [UInt8]) throws(CommandError) {
        if let failure { throw failure }
        self.bytes.withLock { $0 += bytes }
    }

    var text: String { String(decoding: bytes.withLock { $0 }, as: UTF8.self) }
}

extension Verb {
    /// The same verb, which does something else.
    func doing(_ perform: @escaping Performing) -> Verb {
        var verb = self
        verb.perform = perform
        return verb
    }
}
