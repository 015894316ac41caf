import CVectorKernels
package import VectorSearch

/// How a model's weights are kept and multiplied.
package enum EncoderPrecision: String, Sendable, CaseIterable {
    /// Single precision.
    case single = "f32"
    /// A byte for each weight, with a scale for each output and for each token's input.
    case bytes = "int8"

    /// Whether these kernels can multiply so, fast or not.
    package func isAvailable(on kernels: Kernels) -> Bool {
        guard let table = unsafe knot_kernels_named(kernels.name) else { return false }
        // Any sound shape will do.
        let shape = knot_encoder_shape(hidden: 384, heads: 12, intermediate: 1_536, layers: 1, epsilon: 1e-12)
        return unsafe withUnsafePointer(to: shape) { unsafe knot_encoder_bytes(table, $0, kind) } > 0
    }

    /// What the kernels are faster with.
    static func best(on table: OpaquePointer) -> EncoderPrecision {
        unsafe knot_encoder_has(table, KNOT_ENCODER_BYTE) != 0 ? .bytes : .single
    }

    /// The kernels' word for it.
    var kind: knot_encoder_precision {
        switch self {
        case .single: KNOT_ENCODER_FLOAT
        case .bytes: KNOT_ENCODER_BYTE
        }
    }
}
