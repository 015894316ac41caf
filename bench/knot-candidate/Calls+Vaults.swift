import VectorSearch

/// The harness' calls on many small bodies of rows that lie one after another.

/// Two queries for each vault.
@c(cand_tiny_topk)
package func topOfVaults(
    _ base: UnsafePointer<Float>,
    _ vaults: Int,
    _ count: Int,
    _ queries: UnsafePointer<Float>,
    _ dimension: Int,
    _ limit: CInt,
    _ scores: UnsafeMutablePointer<Float>,
    _ ids: UnsafeMutablePointer<UInt32>,
    _ threads: CInt
) {
    let search = BorrowedSearch()
    let limit = Int(limit)
    let answer = unsafe Answer(scores: scores, ids: ids, places: vaults * 2 * limit)
    do {
        for vault in 0..<vaults {
            let rows = unsafe Span(_unsafeStart: base + vault * count * dimension, count: count * dimension)
            let asked = unsafe Span(_unsafeStart: queries + vault * 2 * dimension, count: 2 * dimension)
            try search.search(rows, for: asked, dimension: dimension, limit: limit) { query, matches in
                for place in matches.indices {
                    answer.put(matches[place], at: (vault * 2 + query) * limit + place)
                }
            }
        }
    } catch {
        preconditionFailure("The search failed: \(error)")
    }
}

@c(cand_tiny_sims)
package func tablesOfVaults(
    _ base: UnsafePointer<Float>,
    _ vaults: Int,
    _ count: Int,
    _ columns: UnsafePointer<Float>,
    _ columnCount: Int,
    _ dimension: Int,
    _ out: UnsafeMutablePointer<Float>,
    _ threads: CInt
) {
    let products = DenseProducts()
    let size = count * columnCount
    do {
        for vault in 0..<vaults {
            var target = unsafe MutableSpan(_unsafeStart: out + vault * size, count: size)
            let left = unsafe Span(_unsafeStart: base + vault * count * dimension, count: count * dimension)
            let right = unsafe Span(
                _unsafeStart: columns + vault * columnCount * dimension,
                count: columnCount * dimension
            )
            try products.write(left, with: right, dimension: dimension, into: &target)
        }
    } catch {
        preconditionFailure("The table failed: \(error)")
    }
}
