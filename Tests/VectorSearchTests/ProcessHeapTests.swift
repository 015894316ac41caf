import Testing

@testable import VectorSearch

@Suite("The heap of a process that makes one answer")
struct ProcessHeapTests {
    @Test func `is kept, and holds as much as any other`() async {
        await #expect(processExitsWith: .success) {
            precondition(ProcessHeap.keepForOneAnswer())
            // Larger than any piece that it grows by.
            let numbers = [UInt8](repeating: 7, count: 100_000_000)
            precondition(numbers.last == 7)
        }
    }
}
