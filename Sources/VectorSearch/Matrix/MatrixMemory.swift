import CVectorKernels
import Glibc

/// The rows of a matrix in this process' memory.
struct MatrixMemory: Sendable {
    private let stride: Int
    private var values: AlignedBuffer<Float>
    private(set) var norms: [Double] = []
    var ids = PackedIDs()

    var count: Int { norms.count }

    init(stride: Int, capacity: Int) throws(VectorSearchError) {
        self.stride = stride
        values = try AlignedBuffer(capacity: Self.room(capacity, stride))
    }

    /// A copy of rows that are somewhere else and have the same stride.
    init(copying rows: knot_rows, ids: PackedIDs, capacity: Int) throws(VectorSearchError) {
        let count = unsafe Int(rows.count)
        try unsafe self.init(stride: rows.stride, capacity: max(capacity, count))
        // Both have `count` whole rows.
        unsafe values.start.update(from: rows.values, count: count * stride)
        norms = unsafe Array(UnsafeBufferPointer(start: rows.norms, count: count))
        self.ids = ids
    }

    private static func room(_ rows: Int, _ stride: Int) throws(VectorSearchError) -> Int {
        let (room, overflow) = rows.multipliedReportingOverflow(by: stride)
        guard !overflow else { throw .outOfMemory(bytes: .max) }
        return room
    }

    /// Ensures room for that many rows in memory that only this value sees.
    mutating func prepare(capacity wanted: Int) throws(VectorSearchError) {
        let room = try Self.room(wanted, stride)
        let isOurs = isKnownUniquelyReferenced(&values)
        if isOurs, room <= values.capacity { return }
        // Twice as much each time, so that appending one row after the other costs as much as all at once.
        let capacity = room <= values.capacity ? values.capacity : max(room, 2 * values.capacity)
        values = try values.copied(first: count * stride, capacity: capacity)
    }

    /// Appends rows without padding; `prepare` has made room for them.
    mutating func append(_ source: Span<Float>, dimension: Int) {
        let added = source.count / dimension
        let first = count
        precondition(
            source.count == added * dimension && (first + added) * stride <= values.capacity,
            "rows were appended without room for them"
        )
        // The precondition has checked both ends: `added` rows of `dimension` numbers, and as many strides behind `first`.
        unsafe source.withUnsafeBufferPointer { source in
            guard let start = source.baseAddress else { return }
            for row in 0..<added {
                let target = unsafe values.start + (first + row) * stride
                unsafe target.update(from: start + row * dimension, count: dimension)
                unsafe (target + dimension).update(repeating: 0, count: stride - dimension)
            }
        }
        let lengths = unsafe [Double](unsafeUninitializedCapacity: added) { buffer, filled in
            filled = added
            guard let target = buffer.baseAddress else { return }
            unsafe knot_norms(Kernels.best.table, values.start + first * stride, stride, added, dimension, target)
        }
        norms.append(contentsOf: lengths)
    }

    func withRows<Result, Failure: Error>(
        dimension: Int,
        _ body: (knot_rows) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        // An empty array may have no address; the kernels read nothing then, but want one.
        var nothing = 0.0
        return try unsafe withUnsafePointer(to: &nothing) { nothing throws(Failure) in
            try unsafe norms.withUnsafeBufferPointer { norms throws(Failure) in
                let rows = unsafe knot_rows(
                    values: values.start,
                    stride: stride,
                    count: UInt32(count),
                    dimension: UInt32(dimension),
                    norms: norms.baseAddress ?? nothing
                )
                return try withExtendedLifetime(values) { () throws(Failure) in try unsafe body(rows) }
            }
        }
    }
}

/// Memory for numbers that begins at a cache line, or at a large page when there is much of it.
///
/// Safe to share: the address and capacity never change, and the memory is freed when nobody can see it any more. Its
/// owners write only while they hold the one reference to it; what they have handed to others is only read.
@safe final class AlignedBuffer<Element: BitwiseCopyable>: @unchecked Sendable {
    let capacity: Int
    /// Room for `capacity` elements, of which its owner knows how many mean something.
    let start: UnsafeMutablePointer<Element>

    private static var cacheLine: Int { 64 }
    private static var largePage: Int { 2 << 20 }

    init(capacity: Int) throws(VectorSearchError) {
        let (bytes, overflow) = capacity.multipliedReportingOverflow(by: MemoryLayout<Element>.stride)
        guard capacity >= 0, !overflow, bytes <= Int.max - Self.largePage else { throw .outOfMemory(bytes: .max) }
        let isLarge = bytes >= 2 * Self.largePage
        let alignment = isLarge ? Self.largePage : Self.cacheLine
        var memory: UnsafeMutableRawPointer?
        guard unsafe posix_memalign(&memory, alignment, max(bytes, alignment)) == 0, let memory = unsafe memory else {
            throw .outOfMemory(bytes: bytes)
        }
        // Large pages are a wish: without them everything works, and slower.
        if isLarge { _ = unsafe madvise(memory, bytes, MADV_HUGEPAGE) }
        self.capacity = capacity
        unsafe start = memory.bindMemory(to: Element.self, capacity: capacity)
    }

    deinit { unsafe free(start) }

    /// A larger buffer, or a second one, that begins with the first `count` elements of this one.
    func copied(first count: Int, capacity: Int) throws(VectorSearchError) -> AlignedBuffer {
        precondition(
            count <= self.capacity && count <= capacity,
            "more elements were to be copied than there is room for"
        )
        let copy = try AlignedBuffer(capacity: capacity)
        unsafe copy.start.update(from: start, count: count)
        return copy
    }
}
