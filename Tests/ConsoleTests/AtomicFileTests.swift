import Foundation
import TestSupport
import Testing

@testable import Console

@Suite struct `A file written whole` {
    @Test func `leaves nothing behind when the folder is missing`() throws {
        let folder = try ScratchFolder()
        let error = #expect(throws: CommandError.self) { try AtomicFile.write([1], to: folder.file("no/such/x")) }
        #expect(error?.code == .inputOutput)
        #expect(error?.place == folder.file("no/such/x"))
        #expect(try folder.names.isEmpty)
    }

    @Test func `refuses a folder's name`() throws {
        let folder = try ScratchFolder()
        #expect(throws: CommandError.self) { try AtomicFile.write([1], to: folder.path) }
    }

    @Test func `keeps the old contents when the folder takes no new file`() throws {
        let folder = try ScratchFolder()
        // The name fits the file system, the temporary name beside it does not have to be longer than the limit.
        let long = String(repeating: "n", count: 255)
        try AtomicFile.write(Array("whole".utf8), to: folder.file(long))
        #expect(try folder.names == [long])
        let error = #expect(throws: CommandError.self) { try AtomicFile.write([1], to: folder.file(long + "n")) }
        #expect(error?.code == .inputOutput)
        #expect(try folder.names == [long])
    }

    @Test func `takes every name that the file system takes, and finds what was left beside it`() throws {
        let folder = try ScratchFolder()
        for name in [String(repeating: "日", count: 85), "e" + String(repeating: "\u{301}", count: 127), "…"] {
            let path = folder.file(name)
            try AtomicFile.write(Array("whole".utf8), to: path)
            #expect(try folder.names.map { Array($0.utf8) } == [Array(name.utf8)])
            #expect(AtomicFile.remains(of: path).isEmpty)
            try FileManager.default.removeItem(atPath: path)
        }
    }

    @Test func `replaces the whole contents and closes the file to others`() throws {
        let folder = try ScratchFolder()
        let path = try folder.write("old and much longer", to: "x")
        try FileManager.default.setAttributes([.posixPermissions: 0o664], ofItemAtPath: path)
        try AtomicFile.write(Array("new".utf8), to: path)
        #expect(try String(contentsOfFile: path, encoding: .utf8) == "new")
        let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
        #expect(mode == 0o600)
        #expect(try folder.names == ["x"])
    }

    @Test func `changes the file behind a link and keeps the link`() throws {
        let folder = try ScratchFolder()
        let path = try folder.write("old", to: "x")
        try FileManager.default.createSymbolicLink(atPath: folder.file("link"), withDestinationPath: path)
        try AtomicFile.write(Array("new".utf8), to: folder.file("link"))
        #expect(try String(contentsOfFile: path, encoding: .utf8) == "new")
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: folder.file("link")) == path)
    }

    @Test func `writes through a device instead of replacing it`() throws {
        try AtomicFile.write([1, 2, 3], to: "/dev/null")
        #expect(FileStatus(path: "/dev/null")?.kind == .other)
        let error = #expect(throws: CommandError.self) { try AtomicFile.write([1], to: "/dev/full") }
        #expect(error?.code == .inputOutput)
    }

    @Test func `removes half-written files at the end and makes no new ones`() throws {
        let folder = try ScratchFolder()
        let files = TemporaryFiles()
        let path = folder.file(".x.tmp")
        let kept = folder.file("y")
        for name in [path, kept] {
            let made = try #require(files.make(name))
            close(try made.get())
        }
        files.remove(kept)
        #expect(files.make(kept) == .failure(SystemFault(number: EEXIST)))
        files.removeAll()
        #expect(try folder.names == ["y"])
        #expect(files.make(folder.file("z")) == nil)
        #expect(try folder.names == ["y"], "a file that is only noted may not appear either")
    }

    @Test func `says which file is missing, which is a folder and which is broken`() throws {
        let folder = try ScratchFolder()
        let missing = #expect(throws: CommandError.self) { try InputFile.read(folder.file("none")) }
        #expect(missing?.code == .notFound)
        let wrong = #expect(throws: CommandError.self) { try InputFile.read(folder.path) }
        #expect(wrong?.code == .notFound)
        let path = try folder.write("{", to: "x.json")
        let broken = #expect(throws: CommandError.self) { try InputFile.readJSON(path) }
        #expect(broken?.code == .badInput)
        #expect(broken?.problems.first?.file == path)
    }
}
