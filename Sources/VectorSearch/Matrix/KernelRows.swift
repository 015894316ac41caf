import CVectorKernels

extension knot_rows {
    /// Rows without byte codes, lent for as long as the memory stays; without norms each search works them out.
    init(values: UnsafePointer<Float>, stride: Int, count: UInt32, dimension: UInt32, norms: UnsafePointer<Double>?) {
        unsafe self.init(
            values: values,
            stride: stride,
            count: count,
            dimension: dimension,
            norms: norms,
            codes: nil,
            code_stride: 0,
            scales: nil,
            reaches: nil,
            nibbles: nil,
            nibble_stride: 0,
            nibble_scales: nil,
            nibble_reaches: nil,
            nibble_floor: 0
        )
    }

    /// The lengths of rows that a matrix has lent, which always knows them.
    var knownNorms: UnsafePointer<Double> {
        guard let norms = unsafe norms else { preconditionFailure("rows without lengths where lengths are needed") }
        return unsafe norms
    }
}
