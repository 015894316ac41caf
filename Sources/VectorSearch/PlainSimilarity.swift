/// The reference implementation of the port: plain loops in one fixed order, so that its bits never depend on anything.
package struct PlainSimilarity: SimilarityEngine {
    package init() {}

    package func similarities(
        of rows: [Embedding],
        to columns: [Embedding]
    ) throws(VectorSearchError) -> SimilarityTable {
        if let model = rows.first?.model ?? columns.first?.model,
            let other = (rows + columns).first(where: { $0.model != model })
        {
            throw .mixedModels(model, other.model)
        }
        var values: [Float] = []
        values.reserveCapacity(rows.count * columns.count)
        for row in rows {
            for column in columns {
                let scale = row.norm * column.norm
                values.append(scale > 0 ? Self.dot(row.values, column.values) / scale : 0)
            }
        }
        return SimilarityTable(rowCount: rows.count, columnCount: columns.count, values: values)
    }

    /// Four running sums hide the latency of addition; their order is part of the result.
    private static func dot(_ left: [Float], _ right: [Float]) -> Float {
        var sums = SIMD4<Float>(repeating: 0)
        var index = 0
        while index + 4 <= left.count {
            let first = SIMD4(left[index], left[index + 1], left[index + 2], left[index + 3])
            let second = SIMD4(right[index], right[index + 1], right[index + 2], right[index + 3])
            sums += first * second
            index += 4
        }
        var sum = (sums[0] + sums[1]) + (sums[2] + sums[3])
        while index < left.count {
            sum += left[index] * right[index]
            index += 1
        }
        return sum
    }
}
