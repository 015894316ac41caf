/// Where the embeddings of a file are, found by reading what stands before each and none of the numbers.
struct EmbeddingCacheIndex {
    struct Key: Hashable {
        let model: UInt64
        let text: TextDigest

        init(model: UInt64, text: TextDigest) {
            self.model = model
            self.text = text
        }

        init(_ key: EmbeddingKey) {
            self.init(model: EmbeddingCacheRecord.tag(ofModel: key.model), text: key.text)
        }
    }

    /// The place of each embedding's last record.
    private(set) var places: [Key: Int] = [:]
    /// The names of the models by their tags, those whose record could be read.
    private(set) var models: [UInt64: String] = [:]
    /// Where the last record ends and the next one is to begin.
    private(set) var end = EmbeddingCacheHeader.byteCount
    /// Bytes between records that are none, because they are no longer as they were written.
    private(set) var lostBytes = 0

    /// An index of a file without records.
    init() {}

    /// Reads a file behind its header; what is behind `end` afterwards is the beginning of an unfinished record.
    init(of file: Span<UInt8>) {
        // As many as there can be of the smallest vectors in use.
        places.reserveCapacity(file.count / 1_536)
        var place = end
        var last: (place: Int, record: EmbeddingCacheRecord)?
        while place < file.count {
            guard let record = Self.record(at: place, of: file) else {
                guard let next = Self.nextPlace(after: place, of: file) else { break }
                lostBytes += next - place
                place = next
                continue
            }
            if let last { add(last.record, at: last.place, of: file) }
            last = (place, record)
            place += record.byteCount
        }
        guard let last else { return }
        // The system may have lengthened the file before its end was on the disk: the last record is read as a whole.
        guard last.record.hasPayload(at: last.place, of: file) else { return }
        add(last.record, at: last.place, of: file)
    }

    /// A record that is complete.
    private static func record(at place: Int, of file: Span<UInt8>) -> EmbeddingCacheRecord? {
        guard let record = EmbeddingCacheRecord(at: place, of: file), place + record.byteCount <= file.count else {
            return nil
        }
        return record
    }

    /// Behind bytes that are no record, the place where one begins.
    private static func nextPlace(after place: Int, of file: Span<UInt8>) -> Int? {
        var next = place + EmbeddingCacheRecord.alignment
        while next < file.count {
            if record(at: next, of: file) != nil { return next }
            next += EmbeddingCacheRecord.alignment
        }
        return nil
    }

    private mutating func add(_ record: EmbeddingCacheRecord, at place: Int, of file: Span<UInt8>) {
        switch record.kind {
        case .embedding: places[Key(model: record.model, text: record.text)] = place
        case .model: models[record.model] = record.name(at: place, of: file)
        }
        end = place + record.byteCount
    }

    /// Takes up an embedding that was written at the end.
    mutating func add(_ key: Key, at place: Int) { places[key] = place }

    /// Takes up a model whose name was written.
    mutating func add(model name: String, tag: UInt64) { models[tag] = name }

    /// The file's records end here now.
    mutating func move(endTo place: Int) { end = place }

    /// Forgets an embedding that turned out to be damaged at this place.
    mutating func remove(_ key: Key, at place: Int) {
        if places[key] == place { places[key] = nil }
    }
}
