import Synchronization
package import VectorSearch

/// A file of cached embeddings: mapped for reading, added to at its end by one writer at a time.
///
/// `EmbeddingCacheHeader` and `EmbeddingCacheRecord` describe the format. A reader sees the records that were complete when
/// it opened the file. A record that is not as it was written is a miss, never a wrong vector.
package final class EmbeddingCacheFile: Sendable {
    package enum Access: Sendable {
        case reading
        /// As the file's only writer, which creates it where there is none.
        case appending
    }

    package let path: String
    package let access: Access
    /// What was found at opening that somebody should know: an unfinished or damaged record.
    package let notes: [String]
    private let state: Mutex<State>

    private struct State: ~Copyable {
        let descriptor: CacheDescriptor
        var map: MappedFile
        var index: EmbeddingCacheIndex
    }

    /// Opens a file, or begins one when it is to be written and there is none.
    package init(path: String, for access: Access) throws(EmbeddingCacheError) {
        let isWriter = access == .appending
        let descriptor = isWriter ? try CacheDescriptor(appendingTo: path) : try CacheDescriptor(reading: path)
        var map = try descriptor.map()
        let (index, notes) = try Self.read(map, path: path, isWriter: isWriter)
        if isWriter {
            let isWhole = map.count >= EmbeddingCacheHeader.byteCount
            let fault =
                isWhole
                ? (map.count > index.end ? descriptor.cut(at: index.end) : nil)
                : descriptor.write(EmbeddingCacheHeader.bytes, at: 0).fault
            if let fault { throw EmbeddingCacheError(.unwritable, path, fault) }
            if !isWhole || map.count > index.end { map = try descriptor.map() }
        }
        self.path = path
        self.access = access
        self.notes = notes
        state = Mutex(State(descriptor: descriptor, map: map, index: index))
    }

    private static func read(
        _ map: MappedFile,
        path: String,
        isWriter: Bool
    ) throws(EmbeddingCacheError) -> (EmbeddingCacheIndex, [String]) {
        guard map.count > 0 else { return (EmbeddingCacheIndex(), []) }
        return try map.withBytes(0..<map.count) { file throws(EmbeddingCacheError) in
            guard try EmbeddingCacheHeader.isWhole(file, path: path) else { return (EmbeddingCacheIndex(), []) }
            let index = EmbeddingCacheIndex(of: file)
            var notes: [String] = []
            if index.lostBytes > 0 {
                notes.append("\(path) has \(index.lostBytes) damaged bytes; the embeddings in them will be made again.")
            }
            if file.count > index.end {
                let verb = isWriter ? "cut off" : "left out"
                notes.append(
                    "\(path) ends in an unfinished record of \(file.count - index.end) bytes, which was \(verb)."
                )
            }
            return (index, notes)
        }
    }

    /// How many embeddings it has.
    package var count: Int { state.withLock { $0.index.places.count } }

    /// The models it has embeddings of, in order of their names.
    package var models: [String] { state.withLock { $0.index.models.values.sorted() } }

    /// The embedding under a key; one that is damaged is forgotten.
    package func embedding(for key: EmbeddingKey) -> Embedding? {
        let short = EmbeddingCacheIndex.Key(key)
        let found = state.withLock { state -> (MappedFile, Int)? in
            guard let place = state.index.places[short] else { return nil }
            if place >= state.map.count {
                // Written since: the mapping is renewed. A system out of mappings makes it a miss, which is no error.
                do throws(EmbeddingCacheError) { state.map = try state.descriptor.map() } catch { return nil }
            }
            return (state.map, place)
        }
        guard let (map, place) = found else { return nil }
        let embedding = map.withBytes(0..<map.count) { file in
            EmbeddingCacheRecord(at: place, of: file).flatMap { record in
                record.model == short.model && record.text == short.text
                    ? record.embedding(at: place, of: file, model: key.model) : nil
            }
        }
        if embedding == nil { state.withLock { $0.index.remove(short, at: place) } }
        return embedding
    }

    /// Adds embeddings in order, those it has not yet; on an error those that were written completely stay.
    package func append(_ embeddings: [(key: EmbeddingKey, embedding: Embedding)]) throws(EmbeddingCacheError) {
        guard access == .appending else {
            throw EmbeddingCacheError(.readOnly, path, "it was opened for reading")
        }
        let fault = try state.withLock { state throws(EmbeddingCacheError) in
            try Self.append(embeddings, to: &state, path: path)
        }
        if let fault { throw EmbeddingCacheError(.unwritable, path, fault) }
    }

    private static func append(
        _ embeddings: [(key: EmbeddingKey, embedding: Embedding)],
        to state: inout State,
        path: String
    ) throws(EmbeddingCacheError) -> String? {
        let start = state.index.end
        var bytes: [UInt8] = []
        // What each record adds to the index once its end is in the file.
        var added: [(end: Int, key: EmbeddingCacheIndex.Key?, model: (name: String, tag: UInt64)?)] = []
        var keys: Set<EmbeddingCacheIndex.Key> = []
        var models: Set<UInt64> = []
        for (key, embedding) in embeddings {
            guard embedding.model == key.model, key.model.utf8.count <= EmbeddingCacheRecord.mostNameBytes else {
                throw EmbeddingCacheError(.unwritable, path, "an embedding of another model was given for the key")
            }
            let short = EmbeddingCacheIndex.Key(key)
            guard state.index.places[short] == nil, keys.insert(short).inserted else { continue }
            if state.index.models[short.model] == nil, models.insert(short.model).inserted, !key.model.isEmpty {
                EmbeddingCacheRecord.add(model: key.model, at: start + bytes.count, to: &bytes)
                added.append((bytes.count, nil, (key.model, short.model)))
            }
            EmbeddingCacheRecord.add(
                embedding,
                model: short.model,
                text: short.text,
                at: start + bytes.count,
                to: &bytes
            )
            added.append((bytes.count, short, nil))
        }
        let (written, fault) = state.descriptor.write(bytes, at: start)
        var end = 0
        for record in added where record.end <= written {
            if let key = record.key { state.index.add(key, at: start + end) }
            if let model = record.model { state.index.add(model: model.name, tag: model.tag) }
            end = record.end
        }
        state.index.move(endTo: start + end)
        // Half a record must not stay where the disk is full; where even that fails, the next writer does it.
        if fault != nil { _ = state.descriptor.cut(at: start + end) }
        return fault
    }

    /// Puts on the disk what was added, for who wants it to survive the machine and not only the process.
    package func flush() throws(EmbeddingCacheError) {
        try state.withLock { state throws(EmbeddingCacheError) in try state.descriptor.flush() }
    }
}
