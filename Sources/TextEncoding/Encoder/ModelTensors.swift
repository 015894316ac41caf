/// A model's tensors by the names BERT gives them, whatever a file puts before them.
struct ModelTensors: Sendable {
    private let contents: SafetensorsFile
    /// What stands before every name in this file.
    private let prefix: String

    var path: String { contents.file.path }

    init(path: String) throws(EncoderError) {
        contents = try SafetensorsFile(path: path)
        let first = "embeddings.word_embeddings.weight"
        guard let prefix = ["", "bert.", "model."].first(where: { [contents] in contents.tensors[$0 + first] != nil })
        else {
            throw EncoderError(
                .incomplete,
                path,
                "there is no tensor \"\(first)\", with or without \"bert.\" before it"
            )
        }
        self.prefix = prefix
    }

    /// The numbers of a tensor, which must have that shape.
    func values(_ name: String, _ shape: [Int]) throws(EncoderError) -> TensorValues {
        guard let tensor = tensor(name) else {
            throw EncoderError(.incomplete, path, "there is no tensor \"\(prefix + name)\"")
        }
        guard tensor.shape == shape else {
            let found = tensor.shape.map(String.init).joined(separator: " × ")
            let wanted = shape.map(String.init).joined(separator: " × ")
            throw EncoderError(.damaged, path, "tensor \"\(tensor.name)\" is \(found), and its settings say \(wanted)")
        }
        return try TensorValues(tensor, of: contents.file)
    }

    /// Asks for a layer's bytes before they are needed.
    func prefetch(layer: Int) {
        for range in ranges(ofLayer: layer) { contents.file.prefetch(range) }
    }

    /// Gives a layer's bytes back after their use.
    func release(layer: Int) {
        for range in ranges(ofLayer: layer) { contents.file.release(range) }
    }

    /// The header and a little of every tensor: enough to tell any two models apart without reading all of them.
    var samples: [UInt8] {
        var bytes = contents.file.copy(contents.headerRange)
        for tensor in contents.tensors.values.sorted(by: { $0.range.lowerBound < $1.range.lowerBound }) {
            let range = tensor.range
            for part in 0..<4 {
                let start = range.lowerBound + range.count / 4 * part
                bytes += contents.file.copy(start..<min(start + 256, range.upperBound))
            }
        }
        return bytes
    }

    /// Neighbouring tensors of one layer as one range.
    private func ranges(ofLayer layer: Int) -> [Range<Int>] {
        let start = prefix + LayerTensors.prefix(layer)
        let ranges = contents.tensors.values.filter { $0.name.hasPrefix(start) }.map(\.range)
        return ranges.sorted { $0.lowerBound < $1.lowerBound }.reduce(into: []) { joined, range in
            if let last = joined.last, last.upperBound == range.lowerBound {
                joined[joined.count - 1] = last.lowerBound..<range.upperBound
            } else {
                joined.append(range)
            }
        }
    }

    private func tensor(_ name: String) -> SafetensorsTensor? {
        if let tensor = contents.tensors[prefix + name] { return tensor }
        // Early files name the two parts of a layer norm after the paper's letters.
        guard name.hasSuffix("LayerNorm.weight") || name.hasSuffix("LayerNorm.bias") else { return nil }
        let old =
            name.hasSuffix(".weight") ? name.dropLast("weight".count) + "gamma" : name.dropLast("bias".count) + "beta"
        return contents.tensors[prefix + old]
    }
}
