import Glibc
import Testing

@testable import VectorSearch

@Suite("The heap of a process that makes one answer")
struct ProcessHeapTests {
    /// The address sanitizer brings a heap of its own, which takes no wishes.
    private static var isForeign: Bool { unsafe dlsym(nil, "__asan_init") != nil }

    @Test func `is kept, and holds as much as any other`() async {
        await #expect(processExitsWith: .success) {
            precondition(ProcessHeap.keepForOneAnswer() != Self.isForeign)
            // Larger than any piece that it grows by.
            let numbers = [UInt8](repeating: 7, count: 100_000_000)
            precondition(numbers.last == 7)
        }
    }
}
