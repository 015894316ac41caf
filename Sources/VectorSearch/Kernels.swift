import CVectorKernels
import Synchronization

/// One CPU kind's way of doing the arithmetic.
///
/// All kinds give the same scores, bit by bit; they differ in speed.
///
/// Safe to share: it points to a constant table of functions, which is never written or freed.
@safe package struct Kernels: @unchecked Sendable, Equatable, CustomStringConvertible {
    let table: OpaquePointer

    private init(_ table: OpaquePointer) { unsafe self.table = table }

    /// The fastest kernels this CPU has, unless others were asked for in time.
    package static let best = preferred.withLock { $0 } ?? fastest

    /// The fastest kernels this CPU has, whatever was asked for.
    package static let fastest = unsafe Kernels(knot_kernels_best())

    private static let preferred = Mutex<Kernels?>(nil)

    /// Makes these the best for this process; false when something has been computed already.
    package static func prefer(_ name: String) throws(VectorSearchError) -> Bool {
        guard let table = unsafe knot_kernels_named(name) else {
            throw .unavailableKernels(name: name, available: available.map(\.name))
        }
        let wanted = unsafe Kernels(table)
        preferred.withLock { $0 = wanted }
        return best == wanted
    }

    /// Every name there is, from the slowest to the fastest kind.
    package static let allNames: [String] = {
        var names: [String] = []
        // The list ends with the first position that has no name; names are constants of the program.
        while let name = unsafe knot_kernels_name_at(names.count) { names.append(unsafe String(cString: name)) }
        return names
    }()

    /// The kernels this CPU can run, from the slowest to the fastest kind.
    package static let available: [Kernels] = allNames.compactMap { name in
        unsafe knot_kernels_named(name).map { unsafe Kernels($0) }
    }

    /// Those of that name; "auto" means the best.
    package init(named name: String) throws(VectorSearchError) {
        if name == "auto" {
            self = .best
        } else if let table = unsafe knot_kernels_named(name) {
            unsafe self.init(table)
        } else {
            throw .unavailableKernels(name: name, available: Self.available.map(\.name))
        }
    }

    package var name: String { unsafe String(cString: knot_kernels_name(table)) }

    package var description: String { name }

    /// Whether scans by floats prefetch rows past the caches instead of into them.
    package var passCaches: Bool { unsafe knot_kernels_pass_caches(table) != 0 }

    /// These kernels with the other kind of prefetch, for measurements; `nil` if they don't prefetch.
    package var otherwise: Kernels? { unsafe knot_kernels_otherwise(table).map { unsafe Kernels($0) } }

    /// Whether searches by byte codes are faster than by floats.
    package var useCodes: Bool { unsafe knot_kernels_use_codes(table) != 0 }

    package static func == (left: Kernels, right: Kernels) -> Bool { unsafe left.table == right.table }

    /// The canonical length of one vector; 0 when it has no direction.
    package func norm(of values: Span<Float>) -> Double {
        var norm = 0.0
        unsafe values.withUnsafeBufferPointer { source in
            guard let start = source.baseAddress else { return }
            // One row of exactly the span's numbers, and room for one length.
            unsafe knot_norms(table, start, source.count, 1, source.count, &norm)
        }
        return norm
    }
}

extension Kernels {
    /// Searches neighbouring rows without making lists of answers, and tells the matches of each query that has any.
    ///
    /// The queries stand one after the other, without padding, and there is room in 32 bits for their number.
    func search(
        _ rows: knot_rows,
        in part: Range<Int>,
        for queries: Span<Float>,
        limit: Int,
        found: (_ query: Int, _ matches: Span<Match>) -> Void
    ) -> Int32 {
        let dimension = unsafe Int(rows.dimension)
        let queryCount = queries.count / dimension
        return unsafe queries.withUnsafeBufferPointer { source in
            unsafe withUnsafeTemporaryAllocation(of: knot_match.self, capacity: queryCount * limit) { matches in
                unsafe withUnsafeTemporaryAllocation(of: UInt32.self, capacity: queryCount) { counts in
                    guard let queries = source.baseAddress, let room = matches.baseAddress,
                        let filled = counts.baseAddress
                    else { return Int32(KNOT_BAD_REQUEST) }
                    var rows = unsafe rows
                    var request = unsafe knot_request(
                        queries: queries,
                        query_stride: dimension,
                        query_count: UInt32(queryCount),
                        limit: UInt32(limit),
                        threshold: -.infinity,
                        first_row: UInt32(part.lowerBound),
                        row_count: UInt32(part.count),
                        allowed: nil
                    )
                    let status = unsafe knot_search(table, &rows, &request, room, filled, nil)
                    guard status == Int32(KNOT_OK) else { return status }
                    return unsafe withUnsafeTemporaryAllocation(of: Match.self, capacity: limit) { best in
                        guard let best = best.baseAddress else { return Int32(KNOT_BAD_REQUEST) }
                        for query in 0..<queryCount where unsafe filled[query] > 0 {
                            // The kernels have written that many, at most `limit`, in the query's own room.
                            let count = unsafe Int(filled[query])
                            for place in 0..<count {
                                let match = unsafe room[query * limit + place]
                                unsafe (best + place).initialize(to: Match(row: Int(match.row), score: match.score))
                            }
                            found(query, unsafe Span(_unsafeStart: best, count: count))
                        }
                        return status
                    }
                }
            }
        }
    }
}
