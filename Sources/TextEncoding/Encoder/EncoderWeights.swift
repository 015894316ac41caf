import CVectorKernels
import Glibc
import Threads
package import VectorSearch

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
        threads: Int,
        known: ModelRecord?,
        records: (any ModelRecords)?
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
        var layers: [LayerTensors] = []
        for layer in 0..<settings.layers { layers.append(try LayerTensors(layer, settings, tensors)) }
        let kept = known.map { known in
            PackedWeights(
                known.digest,
                settings,
                kernels: unsafe String(cString: knot_kernels_name(kernels)),
                precision: precision,
                count: bytes
            )
        }
        if let kept, let records, let memory = kept.map(records.path(ofPacked: kept.identity)) {
            packed = memory
            return
        }
        guard let memory = EncoderMemory(bytes) else {
            throw EncoderError(.outOfMemory, path, "its weights take \(bytes) bytes")
        }
        packed = memory
        // What lies between the numbers is written too where they are kept: nothing of before may stand there.
        unsafe memset(memory.start, 0, bytes)
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
        if let kept, let records { records.keep(packed: kept.contents(memory), of: kept.identity) }
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

/// One layer's tensors, all of the shape they must have.
struct LayerTensors: Sendable {
    private let values: [TensorValues]

    /// Names within a layer, in the order of the kernels' structure, each as a weight and a bias.
    private static let names = [
        "attention.self.query", "attention.self.key", "attention.self.value", "attention.output.dense",
        "attention.output.LayerNorm", "intermediate.dense", "output.dense", "output.LayerNorm",
    ]

    static func prefix(_ layer: Int) -> String { "encoder.layer.\(layer)." }

    init(_ layer: Int, _ settings: ModelSettings, _ tensors: ModelTensors) throws(EncoderError) {
        var values: [TensorValues] = []
        for name in Self.names {
            let (outputs, inputs) =
                switch name {
                case "intermediate.dense": (settings.intermediate, settings.hidden)
                case "output.dense": (settings.hidden, settings.intermediate)
                default: (settings.hidden, settings.hidden)
                }
            let shape = name.hasSuffix("LayerNorm") ? [outputs] : [outputs, inputs]
            values.append(try tensors.values(Self.prefix(layer) + name + ".weight", shape))
            values.append(try tensors.values(Self.prefix(layer) + name + ".bias", [outputs]))
        }
        self.values = values
    }

    /// Where the numbers are, for as long as this lives.
    @unsafe var pointers: knot_encoder_layer {
        unsafe knot_encoder_layer(
            query: values[0].start,
            query_bias: values[1].start,
            key: values[2].start,
            key_bias: values[3].start,
            value: values[4].start,
            value_bias: values[5].start,
            output: values[6].start,
            output_bias: values[7].start,
            output_norm: values[8].start,
            output_norm_bias: values[9].start,
            up: values[10].start,
            up_bias: values[11].start,
            down: values[12].start,
            down_bias: values[13].start,
            final_norm: values[14].start,
            final_norm_bias: values[15].start
        )
    }
}

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
