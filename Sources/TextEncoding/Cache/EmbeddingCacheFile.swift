import Glibc
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
    /// Bytes from which on nothing is added; the next writer begins the file anew.
    private let limit: Int
    let state: Mutex<State>

    struct State: ~Copyable {
        let descriptor: CacheDescriptor
        var map: MappedFile
        var index: EmbeddingCacheIndex
    }

    /// Opens a file, or begins one when it is to be written and there is none.
    package init(path: String, for access: Access, limit: Int = .max) throws(EmbeddingCacheError) {
        let isWriter = access == .appending
        let descriptor = isWriter ? try CacheDescriptor(appendingTo: path) : try CacheDescriptor(reading: path)
        var map = try descriptor.map()
        var (index, notes) = try Self.read(map, path: path, isWriter: isWriter)
        if isWriter {
            // What is still needed is encoded again; a reader that has the old records mapped misses them from now on.
            if index.end >= limit { index = EmbeddingCacheIndex() }
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
        self.limit = limit
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
            try Self.append(embeddings, to: &state, path: path, limit: limit)
        }
        if let fault { throw EmbeddingCacheError(.unwritable, path, fault) }
    }

    private static func append(
        _ embeddings: [(key: EmbeddingKey, embedding: Embedding)],
        to state: inout State,
        path: String,
        limit: Int
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
            guard start + bytes.count < limit else { break }
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
}

/// A file that is open to be read, and by its only writer to be added to; closing it gives up the writer's lock.
struct CacheDescriptor: ~Copyable {
    let number: Int32
    private let path: String

    /// Opens a file that exists, for reading.
    init(reading path: String) throws(EmbeddingCacheError) {
        number = try Self.opened(path, O_RDONLY)
        self.path = path
    }

    /// Opens a file or creates it, and becomes its only writer.
    init(appendingTo path: String) throws(EmbeddingCacheError) {
        let number = try Self.opened(path, O_RDWR | O_CREAT)
        guard flock(number, LOCK_EX | LOCK_NB) == 0 else {
            let isTaken = errno == EWOULDBLOCK
            let fault = isTaken ? "one writer at a time may add to it; others may read" : SystemFault.last
            _ = close(number)
            throw EmbeddingCacheError(isTaken ? .inUse : .unreadable, path, fault)
        }
        // Vectors tell of the texts they were made from: a file that was open to others is closed to them.
        _ = fchmod(number, 0o600)
        self.number = number
        self.path = path
    }

    private static func opened(_ path: String, _ flags: Int32) throws(EmbeddingCacheError) -> Int32 {
        // Without waiting, so that a pipe of that name is refused and does not stop us.
        let number = unsafe open(path, flags | O_CLOEXEC | O_NONBLOCK, 0o600)
        guard number >= 0 else { throw EmbeddingCacheError(.unreadable, path, SystemFault.last) }
        return number
    }

    deinit {
        // Said aloud, since a child that is just being started has the descriptor as well until it runs.
        _ = flock(number, LOCK_UN)
        _ = close(number)
    }

    func map() throws(EmbeddingCacheError) -> MappedFile {
        do throws(EmbeddingFileError) {
            return try MappedFile(descriptor: number, path: path)
        } catch {
            throw EmbeddingCacheError(.unreadable, path, error.detail)
        }
    }

    /// Writes at a place and returns how many of the bytes are in the file, with the system's reason if not all.
    func write(_ bytes: [UInt8], at place: Int) -> (count: Int, fault: String?) {
        var done = 0
        while done < bytes.count {
            // The array outlives the call, and what is left of it begins within it.
            let count = unsafe bytes.withUnsafeBytes { buffer in
                unsafe pwrite(
                    number,
                    buffer.baseAddress.map { unsafe $0 + done },
                    buffer.count - done,
                    off_t(place + done)
                )
            }
            if count < 0 && errno == EINTR { continue }
            guard count > 0 else { return (done, count < 0 ? SystemFault.last : "nothing was written") }
            done += count
        }
        return (done, nil)
    }

    /// Cuts the file off at a place; says why when the system would not.
    func cut(at place: Int) -> String? {
        ftruncate(number, off_t(place)) == 0 ? nil : SystemFault.last
    }
}

/// Why a file of cached embeddings cannot be used.
package struct EmbeddingCacheError: Error, Sendable, Equatable, CustomStringConvertible {
    package enum Code: String, Sendable {
        /// The system would not open, lock or map the file.
        case unreadable
        /// The system would not write; whatever was complete before is as it was.
        case unwritable
        /// The file does not begin as files of cached embeddings do.
        case foreign
        /// The file was written by a later version of this format.
        case newer
        /// The file is for embeddings of another length.
        case otherDimension
        /// The file's header is not as it was written.
        case damaged
        /// Another process, or another part of this one, writes to the file.
        case inUse
        /// The file was opened for reading alone.
        case readOnly
    }

    package let code: Code
    package let path: String
    /// What is the matter.
    package let detail: String

    init(_ code: Code, _ path: String, _ detail: String) {
        self.code = code
        self.path = path
        self.detail = detail
    }

    package var description: String {
        switch code {
        case .unreadable: "The cached embeddings in \(path) cannot be read: \(detail)."
        case .unwritable, .readOnly: "No embedding can be added to the cache \(path): \(detail)."
        case .foreign, .newer, .otherDimension:
            "\(path) is not a file of cached embeddings that can be used here: \(detail)."
        case .damaged: "The cached embeddings in \(path) are damaged: \(detail)."
        case .inUse: "The cache \(path) is being written by somebody else: \(detail)."
        }
    }
}
