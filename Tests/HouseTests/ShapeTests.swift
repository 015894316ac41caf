import Testing

/// The shape that keeps the house short of ways: a concept a file, and no room that nobody can know.
@Suite("The shape of the house")
struct ShapeTests {
    /// What people add stays one a file, however small.
    private static let added = ["/Filters/", "/Scorers/", "/Providers/"]

    private static func lines(of files: [String]) throws -> [String: Int] {
        var lines: [String: Int] = [:]
        for file in files { lines[file] = try House.text(file).utf8.count { $0 == UInt8(ascii: "\n") } }
        return lines
    }

    private static func rooms() throws -> [String: [String]] {
        Dictionary(grouping: House.files(in: "Sources", endings: [".swift"])) { String($0.split(separator: "/")[1]) }
    }

    /// 480 files were for 50,000 lines: however large the house grows, it is in no more pieces than that.
    @Test func `has a file for 104 lines at most, of 90 lines or more in the median`() throws {
        let lines = try Self.lines(of: House.files(in: "Sources", endings: [".swift"])).values.sorted()
        #expect(lines.count * 104 <= lines.reduce(0, +))
        #expect(lines[lines.count / 2] >= 90)
    }

    @Test func `has at most one small file in ten in every room`() throws {
        for (room, files) in try Self.rooms() {
            let small = try Self.lines(of: files.filter { file in !Self.added.contains { file.contains($0) } })
                .filter { $0.value < 25 }
            #expect(small.count * 10 <= files.count, "\(room): \(small.keys.sorted()) belong to what they serve")
        }
    }

    @Test func `has no file above 24 kB`() throws {
        for file in House.files(in: "Sources", endings: [".swift"]) {
            let bytes = try House.text(file).utf8.count
            #expect(bytes <= 24_000, "\(file) has \(bytes) bytes: split it by topic")
        }
    }

    @Test func `has rooms that one person can know`() throws {
        for (room, files) in try Self.rooms() {
            let lines = try Self.lines(of: files).values.reduce(0, +)
            #expect(lines <= 8_000, "\(room) has \(lines) lines: see where it divides")
            #expect(files.count <= 90, "\(room) has \(files.count) files: see where it divides")
        }
    }
}
