import Exactness
import Testing

@testable import VectorSearch

@Suite("Dense products")
struct DenseProductsTests {
    @Test func `refuse other models, lengths and places`() throws {
        let (left, dense) = (try SomeRows.matrix(count: 2), DenseProducts())
        #expect(throws: VectorSearchError.mixedModels("plain", "other")) {
            try dense.products(of: left, with: SomeRows.matrix(count: 2, model: "other"))
        }
        #expect(throws: VectorSearchError.wrongDimension(expected: 20, found: 3)) {
            try dense.products(of: left, with: SomeRows.matrix(count: 2, dimension: 3))
        }
        #expect(throws: VectorSearchError.self) {
            var places = [Float](repeating: 0, count: 3)
            var span = places.mutableSpan
            try dense.write(left, with: left, into: &span)
        }
    }

    @Test func `are the same of borrowed rows, which have to be whole`() throws {
        let (left, right) = (try SomeRows.matrix(count: 5, seed: 5), try SomeRows.matrix(count: 3, seed: 6))
        let leftValues = try (0..<5).flatMap { try Array(left.values(ofRow: $0)) }
        let rightValues = try (0..<3).flatMap { try Array(right.values(ofRow: $0)) }
        var places = [Float](repeating: 0, count: 15)
        var target = places.mutableSpan
        try DenseProducts().write(leftValues.span, with: rightValues.span, dimension: left.dimension, into: &target)
        #expect(try DenseProducts().products(of: left, with: right).values == places)
        #expect(throws: VectorSearchError.self) {
            var target = places.mutableSpan
            try DenseProducts().write(leftValues.span, with: rightValues.span, dimension: 7, into: &target)
        }
    }

    @Test(arguments: [(0, 4), (1, 1), (3, 5), (50, 33), (97, 13)], [1, 17, 100])
    func `are those of a plain sum, as nearly as single precision allows`(
        size: (left: Int, right: Int),
        dimension: Int
    ) throws {
        let left = try SomeRows.matrix(count: size.left, dimension: dimension, seed: 5)
        let right = try SomeRows.matrix(count: size.right, dimension: dimension, seed: 6)
        for kernels in Kernels.available {
            let table = try DenseProducts(kernels: kernels).products(of: left, with: right)
            #expect(table.rowCount == size.left && table.columnCount == size.right)
            for row in 0..<size.left {
                for column in 0..<size.right {
                    let exact = zip(try left.values(ofRow: row), try right.values(ofRow: column))
                        .reduce(0.0) { $0 + Double($1.0) * Double($1.1) }
                    // Each addition rounds by 2⁻²⁴ of what stands there; the terms are below 1.
                    let slack = Double(dimension) * left.norm(ofRow: row) * right.norm(ofRow: column) * 0x1p-23
                    #expect(abs(Double(table[row, column]) - exact) <= slack, "\(kernels) \(row) \(column)")
                }
            }
        }
    }
}
