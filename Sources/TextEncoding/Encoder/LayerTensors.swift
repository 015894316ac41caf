import CVectorKernels

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
