import CVectorKernels
import Threads

/// Every row of a matrix as bytes, with a known distance from the truth: a quarter of the memory to read in a search.
package struct RowCodes: Sendable {
    /// Bytes from the beginning of one row's codes to that of the next.
    let stride: Int
    let count: Int
    private let codes: AlignedBuffer<UInt8>
    private let scales: AlignedBuffer<Float>
    private let reaches: AlignedBuffer<Float>

    /// Codes of all rows, which have been verified.
    init(of matrix: EmbeddingMatrix, kernels: Kernels, threads: Int) throws(VectorSearchError) {
        stride = Self.stride(for: matrix.dimension)
        count = matrix.count
        codes = try AlignedBuffer(capacity: count * stride)
        scales = try AlignedBuffer(capacity: count)
        reaches = try AlignedBuffer(capacity: count)
        unsafe matrix.withRows { rows in
            unsafe encode(rows, kernels: kernels, threads: threads)
        }
    }

    static func stride(for dimension: Int) -> Int { (dimension + 63) / 64 * 64 }

    /// Each part of the rows fills its own part of the buffers, which nobody else sees yet.
    private func encode(_ rows: knot_rows, kernels: Kernels, threads: Int) {
        // Lent for the duration of this call, in which all threads end.
        nonisolated(unsafe) let rows = unsafe rows
        ThreadParts.run(ThreadParts.split(count, into: threads)) { part in
            // The part lies within the rows, and the buffers have room for as many.
            unsafe knot_encode(
                kernels.table,
                rows.values + part.lowerBound * rows.stride,
                rows.stride,
                rows.knownNorms + part.lowerBound,
                part.count,
                Int(rows.dimension),
                codes.start + part.lowerBound * stride,
                stride,
                scales.start + part.lowerBound,
                reaches.start + part.lowerBound
            )
        }
    }

    /// Adds the codes to rows lent to the kernels, for the duration of `body`.
    func lend<Result, Failure: Error>(
        to rows: knot_rows,
        _ body: (knot_rows) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        var rows = unsafe rows
        unsafe rows.codes = UnsafePointer(codes.start)
        unsafe rows.code_stride = stride
        unsafe rows.scales = UnsafePointer(scales.start)
        unsafe rows.reaches = UnsafePointer(reaches.start)
        return try withExtendedLifetime(self) { () throws(Failure) in try unsafe body(rows) }
    }
}

/// Every row of a matrix in half a byte a dimension, which one query reads before the byte codes.
///
/// They spare a search half of what it reads, and cost 392 bytes a row of 768 dimensions beside its 776 of byte codes and
/// 3,080 of its own: 64 for each 128 dimensions begun, a scale and a reach. So only rows that no cache holds have them.
package struct RowNibbles: Sendable {
    /// Fewer rows than this are searched as quickly by byte codes alone.
    package static let usualFewest = 16_384

    private let stride: Int
    private let count: Int
    private let nibbles: AlignedBuffer<UInt8>
    private let scales: AlignedBuffer<Float>
    private let reaches: AlignedBuffer<Float>

    /// Codes of all rows, which have been verified.
    init(of matrix: EmbeddingMatrix, kernels: Kernels, threads: Int) throws(VectorSearchError) {
        stride = Self.stride(for: matrix.dimension)
        count = matrix.count
        nibbles = try AlignedBuffer(capacity: count * stride)
        scales = try AlignedBuffer(capacity: count)
        reaches = try AlignedBuffer(capacity: count)
        unsafe matrix.withRows { rows in
            unsafe encode(rows, kernels: kernels, threads: threads)
        }
    }

    /// Bytes from the beginning of one row's codes to that of the next.
    static func stride(for dimension: Int) -> Int { (dimension + 127) / 128 * 64 }

    /// Each part of the rows fills its own part of the buffers, which nobody else sees yet.
    private func encode(_ rows: knot_rows, kernels: Kernels, threads: Int) {
        // Lent for the duration of this call, in which all threads end.
        nonisolated(unsafe) let rows = unsafe rows
        ThreadParts.run(ThreadParts.split(count, into: threads)) { part in
            // The part lies within the rows, and the buffers have room for as many.
            unsafe knot_encode_nibbles(
                kernels.table,
                rows.values + part.lowerBound * rows.stride,
                rows.stride,
                rows.knownNorms + part.lowerBound,
                part.count,
                Int(rows.dimension),
                nibbles.start + part.lowerBound * stride,
                stride,
                scales.start + part.lowerBound,
                reaches.start + part.lowerBound
            )
        }
    }

    /// Adds the codes to rows lent to the kernels, for the duration of `body`.
    func lend<Result, Failure: Error>(
        to rows: knot_rows,
        _ body: (knot_rows) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        var rows = unsafe rows
        unsafe rows.nibbles = UnsafePointer(nibbles.start)
        unsafe rows.nibble_stride = stride
        unsafe rows.nibble_scales = UnsafePointer(scales.start)
        unsafe rows.nibble_reaches = UnsafePointer(reaches.start)
        return try withExtendedLifetime(self) { () throws(Failure) in try unsafe body(rows) }
    }
}
