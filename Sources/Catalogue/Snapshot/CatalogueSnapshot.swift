import FileInput
import Glibc
package import KnotDomain
import TextEncoding
import VectorSearch

/// A catalogue on the disk as it is at one moment: segments that never change, and which of their items are gone.
///
/// Whoever has opened one goes on reading it, whatever a writer does meanwhile.
package struct CatalogueSnapshot: Sendable {
    package let folder: String
    let manifest: SnapshotManifest
    let segments: [CatalogueSegment]
    let withdrawn: WithdrawnItems
    /// False where all bytes had to be held against their checksums, since files were moved or changed.
    package let wasTrusted: Bool
    /// What the file system said of the manifest before it was read.
    let stamp: SegmentStamp?

    /// How many offers there are.
    package var count: Int { manifest.count }
    /// How many of them have a vector.
    package let vectorCount: Int
    /// The model of all vectors; nil while no offer has one.
    package var model: String? { manifest.model }
    /// Where the source of the offers stood when they were read, in its own words.
    package var mark: String? { manifest.mark }
    package var segmentCount: Int { segments.count }
    /// Whose offers there are, or were, by name.
    package var providers: [ProviderName] {
        Set(segments.flatMap(\.providers)).sorted { $0.rawValue < $1.rawValue }
    }
    /// Items that are in segments and no longer offered.
    package var goneCount: Int { manifest.goneCount }

    /// Opens the catalogue in a folder; with `verifies`, every byte is looked at.
    package init(folder: String, verifies: Bool = false) throws(CatalogueError) {
        var last: CatalogueError?
        // A writer that merges removes files between our look at the manifest and theirs; the next manifest names others.
        for _ in 0..<8 {
            let stamp = Self.stamp(of: folder)
            let manifest = try Self.manifest(in: folder)
            do throws(CatalogueError) {
                try self.init(folder, manifest, stamp, verifies: verifies)
                return
            } catch {
                last = error
                if let now = try? Self.manifest(in: folder), now == manifest { throw error }
            }
        }
        throw last ?? CatalogueError(.unreadable, folder, "it changes too fast to be read")
    }

    init(
        _ folder: String,
        _ manifest: SnapshotManifest,
        _ stamp: SegmentStamp? = nil,
        verifies: Bool
    ) throws(CatalogueError) {
        self.folder = folder
        self.stamp = stamp
        self.manifest = manifest
        var segments: [CatalogueSegment] = []
        var isTrusted = true
        for entry in manifest.segments {
            let path = folder + "/" + entry.name
            let stamps = Self.stamps(of: path, vectorCount: entry.vectorCount)
            let isKnown = !verifies && stamps == entry.stamps
            isTrusted = isTrusted && isKnown
            let segment = try CatalogueSegment(path: path, isTrusted: isKnown)
            guard segment.count == entry.count, segment.layout.vectorCount == entry.vectorCount else {
                throw CatalogueError(.damaged, path, "it is not the segment that the manifest names")
            }
            guard segment.lastOrdinal.map({ $0 < manifest.nextOrdinal }) ?? true else {
                throw CatalogueError(.damaged, folder, "the manifest gives a number to new offers that one has already")
            }
            segments.append(segment)
        }
        if verifies { try Self.verifyOrdinals(segments, in: folder) }
        self.segments = segments
        wasTrusted = isTrusted
        withdrawn =
            try manifest.gone.map { name throws(CatalogueError) in
                let path = folder + "/" + name
                return try WithdrawnItems(Self.bytes(path), path: path)
            } ?? WithdrawnItems()
        guard withdrawn.count == manifest.goneCount else {
            throw CatalogueError(.damaged, folder, "the list of what is gone is another one than the manifest names")
        }
        var vectors = 0
        for (segment, entry) in zip(segments, manifest.segments) {
            guard let gone = withdrawn.bitmap(of: entry.name) else {
                vectors += entry.vectorCount
                continue
            }
            guard gone.rowCount == segment.count else {
                throw CatalogueError(.damaged, folder, "the list of what is gone does not fit its segments")
            }
            vectors += entry.vectorCount - gone.prefix(entry.vectorCount).count
        }
        vectorCount = vectors
    }

    /// No two offers have one number, by which equal ones are ordered and one is told from another.
    private static func verifyOrdinals(_ segments: [CatalogueSegment], in folder: String) throws(CatalogueError) {
        var all: [UInt64] = []
        for segment in segments { segment.ordinals.withSpan { for place in $0.indices { all.append($0[place]) } } }
        all.sort()
        guard !zip(all, all.dropFirst()).contains(where: ==) else {
            throw CatalogueError(.damaged, folder, "two of its offers have one number")
        }
    }

    /// What the file system says of a segment's files; empty where one is missing.
    static func stamps(of path: String, vectorCount: Int) -> [SegmentStamp] {
        let paths = [path] + (vectorCount > 0 ? [SegmentWriter.vectors(of: path)] : [])
        let stamps = paths.compactMap { SegmentStamp(of: $0) }
        return stamps.count == paths.count ? stamps : []
    }

    static func manifest(in folder: String) throws(CatalogueError) -> SnapshotManifest {
        let path = folder + "/" + SnapshotManifest.fileName
        return try SnapshotManifest(bytes(path), path: path)
    }

    /// Whether a folder holds a catalogue.
    package static func isThere(in folder: String) -> Bool { stamp(of: folder) != nil }

    /// What the file system says of a folder's manifest now; nil where there is none.
    static func stamp(of folder: String) -> SegmentStamp? {
        SegmentStamp(of: folder + "/" + SnapshotManifest.fileName)
    }

    private static func bytes(_ path: String) throws(CatalogueError) -> [UInt8] {
        var status = stat()
        // A pipe of that name would be waited for. The structure is alive for the call, which fills it.
        if unsafe stat(path, &status) == 0, ![S_IFREG, S_IFDIR].contains(status.st_mode & S_IFMT) {
            throw CatalogueError(.unreadable, path, "it is not a regular file")
        }
        do throws(FileFault) {
            return try FileContents.read(path, limit: 1 << 30)
        } catch {
            let code: CatalogueError.Code =
                switch error.code {
                case .missing, .folder: .missing
                case .notPermitted: .notPermitted
                case .tooLarge, .failed: .unreadable
                }
            throw CatalogueError(code, path, error.message)
        }
    }

    /// Reads from the disk what isn't in memory yet, so that no search waits for it page by page.
    ///
    /// A single search needs a sixth of the bytes. Many searches come past most of them, so for many everything is read.
    /// Calls `begin` before it takes time. Skips a catalogue that would fill more than half of the memory.
    package func readAhead(forMany: Bool, begin: () -> Void = {}) {
        let files = segments.flatMap(\.files)
        for file in files { file.map.expectReading() }
        let wanted = files.flatMap { file in
            (forMany ? [0..<file.map.count] : file.searched).map { (map: file.map, range: $0) }
        }
        let memory = sysconf(Int32(_SC_PHYS_PAGES)) * sysconf(Int32(_SC_PAGESIZE))
        let cold = wanted.filter { !$0.map.isInMemory($0.range) }
        guard !cold.isEmpty, wanted.reduce(0, { $0 + $1.range.count }) <= memory / 2 else { return }
        begin()
        // Many searches are worth waiting for pages that are large; a single one goes on while the disk reads.
        for part in cold {
            if forMany { part.map.prefetch(part.range) } else { part.map.expect(part.range) }
        }
    }

    // MARK: Items

    /// The item with an id, nil where it is not offered.
    package func item(withID id: CandidateID) throws(CatalogueError) -> CatalogueItem? {
        guard let place = try place(ofID: id) else { return nil }
        return try segments[place.segment].offer(at: place.item)
    }

    /// Where the items are that have no vector, in the order in which they came.
    package func placesWithoutVector() -> [(segment: Int, item: Int)] {
        var places: [(ordinal: UInt64, segment: Int, item: Int)] = []
        for (number, segment) in segments.enumerated() {
            let name = manifest.segments[number].name
            for item in segment.layout.vectorCount..<segment.count where !withdrawn.contains(item, of: name) {
                places.append((segment.ordinals[item], number, item))
            }
        }
        return places.sorted { $0.ordinal < $1.ordinal }.map { ($0.segment, $0.item) }
    }

    /// The offer at a place that this catalogue told; nil where it is offered to nobody.
    package func candidate(at place: (segment: Int, item: Int)) throws(CatalogueError) -> Candidate? {
        try segments[place.segment].candidate(at: place.item)
    }

    /// Where the item with an id is.
    func place(ofID id: CandidateID) throws(CatalogueError) -> (segment: Int, item: Int)? {
        for number in segments.indices.reversed() {
            let name = manifest.segments[number].name
            for item in try segments[number].items(withID: id) where !withdrawn.contains(item, of: name) {
                return (number, item)
            }
        }
        return nil
    }
}

extension RowBitmap {
    /// The same bits of the first rows.
    func prefix(_ rows: Int) -> RowBitmap {
        guard rows < rowCount else { return self }
        var first = Array(words.prefix((rows + 63) / 64))
        if rows & 63 != 0 { first[first.count - 1] &= .max >> UInt64(64 - rows & 63) }
        return RowBitmap(rowCount: rows, words: first)
    }
}
