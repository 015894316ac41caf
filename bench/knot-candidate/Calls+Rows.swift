import VectorSearch

/// The harness' calls on one body of rows.

@c(cand_topk_f32)
package func topByFloats(
    _ base: UnsafePointer<Float>,
    _ count: Int,
    _ queries: UnsafePointer<Float>,
    _ queryCount: Int,
    _ dimension: Int,
    _ limit: CInt,
    _ scores: UnsafeMutablePointer<Float>,
    _ ids: UnsafeMutablePointer<UInt32>,
    _ threads: CInt,
    _ variant: CInt
) {
    let rows = unsafe KnownRows.shared.rows(base, count: count, dimension: dimension)
    var answer = unsafe Answer(scores: scores, ids: ids, places: queryCount * Int(limit))
    let span = unsafe Span(_unsafeStart: queries, count: queryCount * dimension)
    rows.search(span, limit: Int(limit), byFloats: true, threads: Int(threads), into: &answer)
}

@c(cand_prepare)
package func prepare(
    _ base: UnsafePointer<Float>,
    _ count: Int,
    _ dimension: Int,
    _ threads: CInt
) -> UnsafeMutableRawPointer? {
    do {
        let span = unsafe Span(_unsafeStart: base, count: count * dimension)
        let rows = try PreparedRows(span, dimension: dimension, makesCodes: true, threads: Int(threads))
        KnownRows.shared.add(rows, address: UInt(bitPattern: base), count: count)
        return unsafe Unmanaged.passRetained(rows).toOpaque()
    } catch {
        preconditionFailure("The rows could not be taken: \(error)")
    }
}

@c(cand_free)
package func free(_ handle: UnsafeMutableRawPointer?) {
    guard let handle = unsafe handle else { return }
    KnownRows.shared.remove(unsafe Unmanaged<PreparedRows>.fromOpaque(handle).takeRetainedValue())
}

@c(cand_topk_i8)
package func topByCodes(
    _ handle: UnsafeMutableRawPointer,
    _ queries: UnsafePointer<Float>,
    _ queryCount: Int,
    _ limit: CInt,
    _ scores: UnsafeMutablePointer<Float>,
    _ ids: UnsafeMutablePointer<UInt32>,
    _ threads: CInt
) {
    let rows = unsafe Unmanaged<PreparedRows>.fromOpaque(handle).takeUnretainedValue()
    var answer = unsafe Answer(scores: scores, ids: ids, places: queryCount * Int(limit))
    let span = unsafe Span(_unsafeStart: queries, count: queryCount * rows.matrix.dimension)
    rows.search(span, limit: Int(limit), byFloats: false, threads: Int(threads), into: &answer)
}

/// The exact search again, since there is no approximate one and the harness looks this up whenever there is a handle.
@c(cand_topk_bf16)
package func topApproximately(
    _ handle: UnsafeMutableRawPointer,
    _ queries: UnsafePointer<Float>,
    _ queryCount: Int,
    _ limit: CInt,
    _ scores: UnsafeMutablePointer<Float>,
    _ ids: UnsafeMutablePointer<UInt32>,
    _ threads: CInt
) {
    unsafe topByCodes(handle, queries, queryCount, limit, scores, ids, threads)
}

@c(cand_rerank_fraction)
package func rescoredShare(_ handle: UnsafeMutableRawPointer) -> Double {
    unsafe Unmanaged<PreparedRows>.fromOpaque(handle).takeUnretainedValue().takeRescoredShare()
}
