import JSONDocument
package import KnotDomain
import TextEncoding
import TextReading
import Threads
package import VectorSearch

/// Changes the catalogue in a folder: the only writer it has, while others read.
///
/// Nothing of it is seen before `commit`, and then all of it at once. Stopped at any moment, what was committed last is what
/// there is; files that nobody names are removed by the next writer.
package final class CatalogueWriter {
    /// What became of the items that were given.
    package struct Tally: Sendable, Equatable {
        package var added = 0
        package var replaced = 0
        /// They say what the catalogue says already.
        package var unchanged = 0
        package var removed = 0

        package init() {}
    }

    package let folder: String
    package private(set) var tally = Tally()
    private let lock: FolderLock
    private var manifest: SnapshotManifest
    private var withdrawn: WithdrawnItems
    /// The manifest's segments, open.
    private var segments: [CatalogueSegment]
    /// In the order in which they came; nil for what was taken out again.
    private var pending: [IndexedItem?] = []
    private var pendingPlaces: [CandidateID: Int] = [:]
    private let segmentItems: Int
    private let threads: Int
    private let reached: (@Sendable (WriterPoint) -> Void)?
    private var isCommitted = true

    /// So many items make a segment: few enough to be made in little memory, enough to be searched at full speed.
    package static let usualSegmentItems = 1 << 16

    /// Becomes the writer of a folder's catalogue, which is made where there is none; with `startsAnew`, what is there is
    /// replaced at the commit.
    ///
    /// `reached` hears of each point, for tests that end a writer there.
    package init(
        folder: String,
        startsAnew: Bool = false,
        segmentItems: Int = CatalogueWriter.usualSegmentItems,
        threads: Int = 1,
        reached: (@Sendable (WriterPoint) -> Void)? = nil
    ) throws(CatalogueError) {
        self.folder = folder
        self.segmentItems = max(1, min(segmentItems, SegmentLayout.mostItems - 1))
        self.threads = threads
        self.reached = reached
        // Where somebody keeps other files a wrong name was typed, and nothing is written beside them.
        guard CatalogueSnapshot.isThere(in: folder) || !FolderFiles.holdsOthers(folder) else {
            throw CatalogueError(.occupied, folder, "the folder holds other files and no catalogue")
        }
        lock = try FolderLock(folder)
        reached?(.locked)
        // What a writer left that was stopped: nothing else would remove it before the next commit.
        FolderFiles.removeStrays(in: folder)
        if !CatalogueSnapshot.isThere(in: folder) {
            (manifest, withdrawn, segments) = (SnapshotManifest(), WithdrawnItems(), [])
        } else if startsAnew {
            // Damaged or not, only its numbers are needed, so that no file gets the name of one that is being read.
            manifest = SnapshotManifest()
            manifest.nextFile = FolderFiles.nextNumber(in: folder)
            (withdrawn, segments) = (WithdrawnItems(), [])
        } else {
            let snapshot = try CatalogueSnapshot(folder: folder)
            (manifest, withdrawn, segments) = (snapshot.manifest, snapshot.withdrawn, snapshot.segments)
        }
    }

    deinit {
        // What was written and never committed is nobody's.
        if !isCommitted { FolderFiles.removeStrays(in: folder) }
    }

    /// How many offers there will be after a commit.
    package var count: Int { manifest.segments.reduce(0) { $0 + $1.count } - withdrawn.count + pendingPlaces.count }

    // MARK: Changing

    /// Throws where vectors are shorter than those that are there: of one model all are equally long.
    ///
    /// Longer ones may end in zeros, as those that are there did.
    package func ensureFit(_ vectors: VectorsByID) throws(CatalogueError) {
        if let model = manifest.model, model != vectors.model {
            throw CatalogueError(.otherModel, folder, "it holds vectors of \(model), and these are of \(vectors.model)")
        }
        let kept = SegmentWriter.keptNumbers(of: vectors.dimension)
        guard let own = segments.compactMap({ $0.vectors?.matrix.dimension }).max(), own > kept else { return }
        let detail = "it holds vectors of \(own) numbers, and others of \(vectors.dimension) were to stand beside them"
        throw CatalogueError(.otherModel, folder, detail)
    }

    /// Adds items; one whose id is there is replaced, and one that says the same is left alone.
    ///
    /// An item without a vector keeps the one it had as long as its text says the same.
    package func add(_ items: [CatalogueItem]) throws(CatalogueError) {
        for vector in items.lazy.compactMap(\.vector) {
            if let model = manifest.model, vector.model != model {
                throw CatalogueError(.otherModel, folder, "it holds vectors of \(model), and one is of \(vector.model)")
            }
            manifest.model = vector.model
        }
        let indexed = ThreadParts.map(ThreadParts.split(items.count, into: threads)) { part in
            items[part].map { IndexedItem($0, json: JSONWriter.bytes($0.json)) }
        }
        for item in indexed.joined() { try add(item) }
    }

    func add(_ new: IndexedItem) throws(CatalogueError) {
        var item = new
        if let place = try known(item.id) {
            let old = try indexed(place)
            if item.vector == nil, let vector = old.vector,
                MeaningText.of(old.candidate) == MeaningText.of(item.candidate)
            {
                item = IndexedItem(CatalogueItem(item.candidate, vector: vector), json: item.json)
            }
            if old.json == item.json, old.vector == item.vector {
                tally.unchanged += 1
                return
            }
            withdraw(old, at: place)
            tally.replaced += 1
        } else {
            tally.added += 1
        }
        // What changes counts as new: it comes last.
        item.ordinal = manifest.nextOrdinal
        manifest.nextOrdinal += 1
        pendingPlaces[item.id] = pending.count
        pending.append(item)
        if pending.count >= segmentItems { try flush() }
    }

    /// Takes items out by their ids; ids that are not there are nothing to do.
    package func remove(_ ids: some Sequence<CandidateID>) throws(CatalogueError) {
        for id in ids {
            guard let place = try known(id) else { continue }
            withdraw(try indexed(place), at: place)
            tally.removed += 1
        }
    }

    /// Where an item is that is offered.
    private enum KnownPlace {
        case pending(Int)
        case written(segment: Int, item: Int)
    }

    private func known(_ id: CandidateID) throws(CatalogueError) -> KnownPlace? {
        if let place = pendingPlaces[id] { return .pending(place) }
        for number in segments.indices.reversed() {
            for item in try segments[number].items(withID: id)
            where !withdrawn.contains(item, of: manifest.segments[number].name) {
                return .written(segment: number, item: item)
            }
        }
        return nil
    }

    private func indexed(_ place: KnownPlace) throws(CatalogueError) -> IndexedItem {
        switch place {
        case .pending(let place):
            guard let item = pending[place] else { preconditionFailure("a place of what was taken out is kept") }
            return item
        case .written(let segment, let item): return try Self.indexed(item, of: segments[segment])
        }
    }

    private func withdraw(_ old: IndexedItem, at place: KnownPlace) {
        switch place {
        case .pending(let place):
            pending[place] = nil
            pendingPlaces[old.id] = nil
        case .written(let segment, let item):
            isCommitted = false
            withdrawn.add(item, of: manifest.segments[segment].name, count: segments[segment].count, words: old)
        }
    }

    /// An item as it was when its segment was made.
    private static func indexed(
        _ item: Int,
        of segment: CatalogueSegment
    ) throws(CatalogueError) -> IndexedItem {
        var indexed = IndexedItem(
            CatalogueItem(try segment.kept(at: item), vector: try segment.vector(ofItem: item)),
            json: try segment.json(ofItem: item)
        )
        indexed.ordinal = segment.ordinals[item]
        return indexed
    }

    // MARK: Writing

    /// Makes a segment of what is pending.
    private func flush() throws(CatalogueError) {
        let items = pending.compactMap(\.self)
        if !items.isEmpty { try write(items) }
        pending = []
        pendingPlaces = [:]
    }

    private func write(_ items: [IndexedItem]) throws(CatalogueError) {
        isCommitted = false
        let name = FolderFiles.segment(manifest.nextFile)
        manifest.nextFile += 1
        let path = folder + "/" + name
        try SegmentWriter(items, to: path).write { reached?(.vectorsWritten) }
        reached?(.segmentWritten)
        let vectorCount = items.count { $0.vector != nil }
        // Just written by us: its bytes are known.
        segments.append(try CatalogueSegment(path: path, isTrusted: true))
        manifest.segments.append(
            SnapshotManifest.Segment(
                name: name,
                count: items.count,
                vectorCount: vectorCount,
                stamps: CatalogueSnapshot.stamps(of: path, vectorCount: vectorCount)
            )
        )
    }

    /// Makes all changes visible at once; the mark says where the source of the offers stands.
    package func commit(mark: String? = nil) throws(CatalogueError) {
        try flush()
        if let mark { manifest.mark = mark }
        // Without a vector it takes those of any model.
        if manifest.segments.allSatisfy({ $0.vectorCount == 0 }) { manifest.model = nil }
        manifest.goneCount = withdrawn.count
        manifest.gone = nil
        if withdrawn.count > 0 {
            let name = FolderFiles.gone(manifest.nextFile)
            manifest.nextFile += 1
            try FolderFiles.replace(folder + "/" + name, by: withdrawn.bytes)
            manifest.gone = name
            reached?(.goneWritten)
        }
        reached?(.beforeCommit)
        let text = JSONWriter.bytes(manifest.json, style: .pretty)
        try FolderFiles.replace(folder + "/" + SnapshotManifest.fileName, by: text + [UInt8(ascii: "\n")])
        isCommitted = true
        reached?(.afterCommit)
        FolderFiles.removeStrays(in: folder) { reached?(.strayRemoved) }
    }

    /// Gives offers of a catalogue their vectors and returns how many got theirs: what changed meanwhile is left alone.
    ///
    /// Making vectors takes long, so that it waits for another writer rather than lose them.
    package static func keep(
        _ vectors: some Sequence<(Candidate, Embedding)>,
        in folder: String,
        threads: Int = 1,
        patience: Duration = .seconds(120)
    ) throws(CatalogueError) -> Int {
        let writer = try FolderLock.waiting(until: .now + patience) { () throws(CatalogueError) in
            try CatalogueWriter(folder: folder, threads: threads)
        }
        let now = try CatalogueSnapshot(folder: folder)
        var items: [CatalogueItem] = []
        for (candidate, vector) in vectors {
            guard let known = try now.item(withID: candidate.id), known.candidate == candidate else { continue }
            items.append(CatalogueItem(candidate, vector: vector, isBlocked: known.isBlocked))
        }
        try writer.add(items)
        try writer.commit()
        _ = writer.mergeAll()
        return items.count
    }

    // MARK: Merging

    /// Joins segments as long as there are any to join; returns what stopped it, which costs later searches a little time
    /// and nothing else: what was committed stays.
    package func mergeAll() -> CatalogueError? {
        do throws(CatalogueError) {
            while try merge() {}
            return nil
        } catch {
            return error
        }
    }

    /// Joins small segments and those of which most is gone, and commits; returns whether there was anything to join.
    func merge() throws(CatalogueError) -> Bool {
        let chosen = segmentsToMerge()
        guard !chosen.isEmpty else { return false }
        reached?(.mergeBegun)
        let names = manifest.segments.map(\.name)
        var batch: [IndexedItem] = []
        for number in chosen {
            let gone = withdrawn.bitmap(of: names[number])
            let items = try indexed(segments[number])
            withdrawn.forget(names[number], items.indices.filter { gone?[$0] ?? false }.map { items[$0] })
            batch += items.indices.filter { !(gone?[$0] ?? false) }.map { items[$0] }
            // New segments stand behind all others, so that the numbers stay.
            if batch.count >= segmentItems {
                try write(batch)
                batch = []
            }
        }
        if !batch.isEmpty { try write(batch) }
        reached?(.mergeWritten)
        for number in chosen.reversed() {
            segments.remove(at: number)
            manifest.segments.remove(at: number)
        }
        try commit()
        return true
    }

    /// Those of which most is gone, and eight or more of one size, which become few of the next: so each item is written a
    /// few times in all, and large ones stay as they are.
    private func segmentsToMerge() -> [Int] {
        let live = segments.indices.map { number in
            segments[number].count - (withdrawn.bitmap(of: manifest.segments[number].name)?.count ?? 0)
        }
        var chosen = Set(segments.indices.filter { live[$0] * 2 < segments[$0].count })
        var least = 0
        for size in [segmentItems / 64, segmentItems / 8, segmentItems / 2] where size > least {
            let small = segments.indices.filter { (least..<size).contains(live[$0]) }
            if small.count >= 8 { chosen.formUnion(small) }
            least = size
        }
        return chosen.sorted()
    }

    /// All items of a segment, as they were when it was made.
    private func indexed(_ segment: CatalogueSegment) throws(CatalogueError) -> [IndexedItem] {
        let parts = ThreadParts.map(ThreadParts.split(segment.count, into: threads)) { part in
            Result { () throws(CatalogueError) in
                var items: [IndexedItem] = []
                for item in part { items.append(try Self.indexed(item, of: segment)) }
                return items
            }
        }
        var items: [IndexedItem] = []
        for part in parts { items += try part.get() }
        return items
    }

    /// Looks at every byte, and remembers that it is right.
    package func verify() throws(CatalogueError) {
        _ = try CatalogueSnapshot(folder, manifest, verifies: true)
        for number in manifest.segments.indices {
            let segment = manifest.segments[number]
            manifest.segments[number].stamps = CatalogueSnapshot.stamps(
                of: folder + "/" + segment.name,
                vectorCount: segment.vectorCount
            )
        }
        try commit()
    }
}
