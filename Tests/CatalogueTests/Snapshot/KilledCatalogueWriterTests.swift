import Foundation
import InventedOffers
import KnotDomain
import TestSupport
import Testing

@testable import Catalogue

/// Processes that are killed while they change a catalogue.
@Suite("A killed writer of a catalogue", .onOwnThreads, .serialized) struct KilledCatalogueWriterTests {
    /// Kills for each point: two here, many in a soak.
    private static let kills = ProcessInfo.processInfo.environment["KNOT_KILLS"].flatMap { Int($0) } ?? 2

    /// A point and something that reaches it.
    struct Case: Sendable, CustomTestStringConvertible {
        let work: String
        let point: WriterPoint
        var testDescription: String { "\(work), \(point.rawValue)" }
    }

    private static let cases: [Case] =
        [WriterPoint.locked, .vectorsWritten, .segmentWritten, .beforeCommit, .afterCommit, .strayRemoved]
        .map { Case(work: "build", point: $0) }
        + [.locked, .vectorsWritten, .segmentWritten, .goneWritten, .beforeCommit, .afterCommit, .strayRemoved]
        .map { Case(work: "change", point: $0) }
        + [.locked, .mergeBegun, .mergeWritten, .vectorsWritten, .beforeCommit, .afterCommit, .strayRemoved]
        .map { Case(work: "merge", point: $0) }

    @Test func `is killed at every point that there is`() {
        #expect(Set(Self.cases.map(\.point)) == Set(WriterPoint.allCases))
    }

    @Test(arguments: cases)
    func `leaves what was there before or all that it was about to write`(killed: Case) async throws {
        let scratch = try ScratchFolder()
        let folder = scratch.path + "/catalogue"
        var model = try Self.begun(folder)
        var killings = 0
        for round in 1...Self.kills {
            await Task.yield()
            if killed.work == "merge" { model = try Self.scattered(folder, model, round) }
            let change = InventedOffers.change(killed.work, round: round)
            let ending = try await Self.probe(folder, killed.work, round, killed.point.rawValue)
            if ending.isKilled { killings += 1 }
            // A change may leave nothing lying about, so that nothing is removed.
            let mayEnd = killed.point == .strayRemoved && ending.output.isEmpty
            #expect(ending.isKilled || mayEnd, "round \(round): \(ending.output)")
            let isCommitted = killed.point == .afterCommit || killed.point == .strayRemoved
            if isCommitted { model = change.applied(to: model) }
            try Self.expect(model, in: folder, "round \(round)")
            // Whoever comes next brings it to its end, and leaves nothing lying about.
            let next = try await Self.probe(folder, killed.work, round, "none")
            #expect(!next.isKilled && next.output.isEmpty, "round \(round): \(next.output)")
            model = change.applied(to: model)
            try Self.expect(model, in: folder, "round \(round), done again")
            try Self.expectNoStrays(in: folder)
        }
        #expect(killings * 10 >= Self.kills * 9)
    }

    @Test(arguments: ["build", "change", "merge"])
    func `at any moment leaves what was there before or all that it was about to write`(work: String) async throws {
        let scratch = try ScratchFolder()
        let folder = scratch.path + "/catalogue"
        var model = try Self.begun(folder)
        var random = SeededRandom(seed: 31)
        for round in 1...3 * Self.kills {
            await Task.yield()
            if work == "merge" { model = try Self.scattered(folder, model, round) }
            let change = InventedOffers.change(work, round: round)
            let delay = Int.random(in: 1...60_000, using: &random)
            let ending = try await Self.probe(folder, work, round, "after:\(delay)")
            // It may be quicker than the alarm.
            #expect(ending.isKilled || ending.output.isEmpty, "round \(round): \(ending.output)")
            let snapshot = try CatalogueSnapshot(folder: folder, verifies: true)
            if !ending.isKilled || snapshot.mark == "\(round)" { model = change.applied(to: model) }
            try Self.expect(model, in: folder, "round \(round) after \(delay) µs")
        }
    }

    // MARK: Catalogues

    private static func begun(_ folder: String) throws -> [CandidateID: CatalogueItem] {
        let first = InventedOffers.change("build", round: 0)
        let writer = try CatalogueWriter(folder: folder, segmentItems: InventedOffers.segmentItems)
        try writer.add(first.added)
        try writer.commit(mark: "begun")
        // So that there is a list of what is gone, which the next commit replaces.
        try writer.remove([first.added[1].candidate.id])
        try writer.commit()
        var model = first.applied(to: [:])
        model[first.added[1].candidate.id] = nil
        return model
    }

    /// Makes so many small segments that there is something to merge.
    private static func scattered(
        _ folder: String,
        _ model: [CandidateID: CatalogueItem],
        _ round: Int
    ) throws -> [CandidateID: CatalogueItem] {
        var model = model
        for part in 0..<8 {
            let change = InventedOffers.change("change", round: round * 8 + part)
            let writer = try CatalogueWriter(folder: folder, segmentItems: InventedOffers.segmentItems)
            try writer.remove(change.removed)
            try writer.add(change.added)
            try writer.commit(mark: "scattered \(round)")
            model = change.applied(to: model)
        }
        return model
    }

    /// Every byte is right, and what there is is this.
    private static func expect(
        _ model: [CandidateID: CatalogueItem],
        in folder: String,
        _ when: String,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let snapshot = try CatalogueSnapshot(folder: folder, verifies: true)
        let items = try snapshot.first(.max, where: CatalogueFilter())
        var found: [CandidateID: CatalogueItem] = [:]
        for item in items { found[item.candidate.id] = item }
        let isSame =
            items.count == model.count
            && found.allSatisfy { $1.candidate == model[$0]?.candidate && $1.vector == model[$0]?.vector }
        #expect(isSame, "\(when): \(items.count) of \(model.count)", sourceLocation: sourceLocation)
        for (id, item) in model { #expect(try snapshot.item(withID: id)?.candidate == item.candidate) }
    }

    private static func expectNoStrays(in folder: String) throws {
        let manifest = try CatalogueSnapshot.manifest(in: folder)
        var known: Set<String> = [SnapshotManifest.fileName, FolderFiles.lock]
        for segment in manifest.segments {
            known.insert(segment.name)
            if segment.vectorCount > 0 { known.insert(SegmentWriter.vectors(of: segment.name)) }
        }
        if let gone = manifest.gone { known.insert(gone) }
        #expect(try Set(FileManager.default.contentsOfDirectory(atPath: folder)) == known)
    }

    // MARK: The probe

    /// Beside the test bundle.
    private static let binary: URL? = {
        let folders = [
            URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent(),
            URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent(),
            Repository.root.appendingPathComponent(".build/debug"),
        ]
        return folders.map { $0.appendingPathComponent("knot-catalogue-probe") }
            .first { FileManager.default.isExecutableFile(atPath: $0.path) }
    }()

    private static func probe(
        _ folder: String,
        _ work: String,
        _ round: Int,
        _ point: String
    ) async throws -> (isKilled: Bool, output: String) {
        let file = try #require(Self.binary)
        let process = Process()
        process.executableURL = file
        process.arguments = [folder, work, String(round), point]
        let pipe = Pipe()
        process.standardOutput = pipe
        process.standardInput = FileHandle.nullDevice
        try process.run()
        let output = await withCheckedContinuation { continuation in
            Thread.detachNewThread {
                let bytes = pipe.fileHandleForReading.readDataToEndOfFile()
                continuation.resume(returning: String(decoding: bytes, as: UTF8.self))
            }
        }
        process.waitUntilExit()
        let isKilled = process.terminationReason == .uncaughtSignal && process.terminationStatus == SIGKILL
        return (isKilled, output)
    }
}
