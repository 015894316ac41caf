import FileInput
import Foundation
import TestSupport
import Testing

@Suite("A secret of the environment")
struct SecretTests {
    private let scratch: ScratchFolder

    init() throws { scratch = try ScratchFolder() }

    private func path(holding bytes: [UInt8]) throws -> String {
        let file = scratch.file(UUID().uuidString)
        try Data(bytes).write(to: URL(filePath: file))
        return file
    }

    @Test func `is refused where its file is missing, empty, no text, or holds a NUL`() throws {
        let odd: [[UInt8]] = [[], [10, 10], [0xFF, 0xFE], [65, 0, 66]]
        let paths = try odd.map { try path(holding: $0) } + ["/nonexistent/key"]
        for path in paths {
            let error = #expect(throws: Secret.Unreadable.self) {
                try Secret.named("KNOT_KEY") { $0 == "KNOT_KEY_FILE" ? path : nil }
            }
            #expect(error?.variable == "KNOT_KEY_FILE")
        }
    }

    @Test(arguments: [" ", "                    ", "\t\t", "\u{A0}\u{3000}"])
    func `is refused if it holds nothing but blanks`(
        blanks: String
    ) throws {
        let file = try path(holding: Array(blanks.utf8))
        for name in ["KNOT_KEY", "KNOT_KEY_FILE"] {
            let error = #expect(throws: Secret.Unreadable.self) {
                try Secret.named("KNOT_KEY") { $0 == name ? (name == "KNOT_KEY" ? blanks : file) : nil }
            }
            #expect(error?.variable == name)
        }
    }

    @Test func `comes from the variable before the file, and from the file without its line break`() throws {
        let file = try path(holding: Array("of-file\r\n".utf8))
        #expect(try Secret.named("KNOT_KEY") { $0 == "KNOT_KEY" ? "of-variable" : file }?.exposed == "of-variable")
        #expect(try Secret.named("KNOT_KEY") { $0 == "KNOT_KEY" ? nil : file }?.exposed == "of-file")
        #expect(try Secret.named("KNOT_KEY") { _ in nil } == nil)
        #expect(try Secret.named("KNOT_KEY") { _ in "" } == nil)
    }
}
