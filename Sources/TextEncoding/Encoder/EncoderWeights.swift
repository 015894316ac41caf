import CVectorKernels
import VectorSearch

/// A model's numbers: the embeddings in the file they came in, the layers packed for the kernels.
///
/// Safe to share: everything is written by the initializer and only read afterwards.
@safe final class EncoderWeights: @unchecked Sendable {
    let kernels: OpaquePointer
    let shape: knot_encoder_shape
    let precision: knot_encoder_precision
    let words: TensorValues
    let positions: TensorValues
    let kind: TensorValues
    let norm: TensorValues
    let normBias: TensorValues
    let packed: EncoderMemory

    init(
        _ settings: ModelSettings,
        _ tensors: ModelTensors,
        kernels: OpaquePointer,
        precision: EncoderPrecision,
        threads: Int
    ) throws(EncoderError) {
        unsafe self.kernels = kernels
        let shape = knot_encoder_shape(
            hidden: UInt32(settings.hidden),
            heads: UInt32(settings.heads),
            intermediate: UInt32(settings.intermediate),
            layers: UInt32(settings.layers),
            epsilon: settings.epsilon
        )
        let kind = precision.kind
        self.shape = shape
        self.precision = kind
        let hidden = settings.hidden
        words = try tensors.values("embeddings.word_embeddings.weight", [settings.vocabulary, hidden])
        positions = try tensors.values("embeddings.position_embeddings.weight", [settings.positions, hidden])
        self.kind = try tensors.values("embeddings.token_type_embeddings.weight", [settings.kinds, hidden])
        norm = try tensors.values("embeddings.LayerNorm.weight", [hidden])
        normBias = try tensors.values("embeddings.LayerNorm.bias", [hidden])

        let path = tensors.path
        let bytes = unsafe withUnsafePointer(to: shape) { unsafe knot_encoder_bytes(kernels, $0, kind) }
        guard bytes > 0 else { throw unsafe EncoderError(.unsupported, path, Self.refusal(precision, kernels)) }
        guard let memory = EncoderMemory(bytes) else {
            throw EncoderError(.outOfMemory, path, "its weights take \(bytes) bytes")
        }
        packed = memory
        var layers: [LayerTensors] = []
        for layer in 0..<settings.layers { layers.append(try LayerTensors(layer, settings, tensors)) }
        let packing = unsafe Packing(
            kernels: kernels,
            shape: shape,
            precision: kind,
            layers: layers,
            memory: memory.start
        )
        let parts = ThreadParts.split(settings.layers, into: threads)
        _ = ThreadParts.map(parts) { part in
            for layer in part { tensors.prefetch(layer: layer) }
            packing.run(part)
            for layer in part { tensors.release(layer: layer) }
        }
    }

    private static func refusal(_ precision: EncoderPrecision, _ kernels: OpaquePointer) -> String {
        let name = unsafe String(cString: knot_kernels_name(kernels))
        return "the kernels \(name) have nothing for its shape in \(precision.rawValue)"
    }

    /// What the threads share that pack the layers.
    ///
    /// Safe to share: each thread writes its own layers' part of the memory, which outlives all of them.
    @safe private struct Packing: @unchecked Sendable {
        let kernels: OpaquePointer
        let shape: knot_encoder_shape
        let precision: knot_encoder_precision
        let layers: [LayerTensors]
        let memory: UnsafeMutableRawPointer

        func run(_ part: Range<Int>) {
            let pointers = unsafe layers.map { unsafe $0.pointers }
            unsafe withUnsafePointer(to: shape) { shape in
                // As many layers as the shape says, each as long as the shape says: their tensors were checked.
                unsafe knot_encoder_pack(
                    kernels,
                    shape,
                    precision,
                    pointers,
                    UInt32(part.lowerBound),
                    UInt32(part.count),
                    memory
                )
            }
        }
    }
}
