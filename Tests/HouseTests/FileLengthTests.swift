import Testing

@Suite("A source file")
struct FileLengthTests {
    @Test(arguments: ["Sources", "Tests", "bench"])
    func `has at most four hundred lines`(folder: String) throws {
        let files = House.files(in: folder, endings: [".swift", ".c", ".h"])
        #expect(!files.isEmpty)
        for file in files {
            let lines = try House.text(file).split(separator: "\n", omittingEmptySubsequences: false).count - 1
            #expect(lines <= 400, "\(file) has \(lines) lines: split it by topic")
        }
    }
}
