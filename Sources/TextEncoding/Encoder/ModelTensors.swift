/// A model's tensors by the names BERT gives them, whatever a file puts before them.
struct ModelTensors: Sendable {
    private let contents: SafetensorsFile
    /// What stands before every name in this file.
    private let prefix: String

    /// False once the whole file is known to be sound.
    var checksNumbers = true

    var path: String { contents.file.path }
    var file: ModelFile { contents.file }

    /// The tensors of a model's folder; weights in another form are named as what they are.
    init(folder: String) throws(EncoderError) {
        let path = folder + "/model.safetensors"
        if !ModelFile.exists(path) {
            for (name, word) in Self.otherForms where ModelFile.exists(folder + "/" + name) {
                throw EncoderError(.unsupported, folder, word)
            }
        }
        try self.init(path: path)
    }

    /// Other forms of weights, in the order in which they are looked for.
    private static let otherForms = [
        (
            "model.safetensors.index.json",
            "its weights are in several files, which model.safetensors.index.json lists: join them into one model.safetensors"
        ),
        ("pytorch_model.bin", "its weights are a pickle, pytorch_model.bin: convert them to model.safetensors"),
        (
            "pytorch_model.bin.index.json",
            "its weights are several pickles, which pytorch_model.bin.index.json lists: convert them to one model.safetensors"
        ),
        ("tf_model.h5", "its weights are TensorFlow's, tf_model.h5: convert them to model.safetensors"),
        ("flax_model.msgpack", "its weights are Flax's, flax_model.msgpack: convert them to model.safetensors"),
        ("model.onnx", "it is a graph, model.onnx: take the same model as model.safetensors"),
        ("onnx/model.onnx", "it is a graph, onnx/model.onnx: take the same model as model.safetensors"),
    ]

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
        let values = try TensorValues(tensor, of: contents.file)
        if checksNumbers, let flaw = values.flaw(mayBeZero: Self.mayBeZero(name)) {
            throw EncoderError(.damaged, path, "tensor \"\(tensor.name)\" \(flaw)")
        }
        return values
    }

    /// Asks for a layer's bytes before they are needed.
    func prefetch(layer: Int) {
        for range in ranges(ofLayer: layer) { contents.file.prefetch(range) }
    }

    /// Gives a layer's bytes back after their use.
    func release(layer: Int) {
        for range in ranges(ofLayer: layer) { contents.file.release(range) }
    }

    /// Biases are often zero, and so are the places of texts and of their kinds in models that were made not to need them.
    private static func mayBeZero(_ name: String) -> Bool {
        name.hasSuffix(".bias") || name.contains("position_embeddings") || name.contains("token_type_embeddings")
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

/// Numbers written as text, five bits to a character, the lowest first; a character from 32 on says that more follow.
///
/// This is how `bench/encoder/tables.py` writes its tables.
struct PackedNumbers {
    private var characters: String.UTF8View.Iterator

    init(_ text: String) { characters = text.utf8.makeIterator() }

    /// Ranges that are written as the gap since the last one's end, and a length.
    func runs() -> [ClosedRange<UInt32>] {
        var numbers = self
        var runs: [ClosedRange<UInt32>] = []
        var last: UInt32 = 0
        while let gap = numbers.next(), let length = numbers.next() {
            runs.append(last + gap...last + gap + length - 1)
            last += gap + length - 1
        }
        return runs
    }

    /// Characters and what they become: a gap, a count less one, and distances from one result to the next.
    func mapping() -> [(scalar: UInt32, result: [UInt32])] {
        var numbers = self
        var mapping: [(UInt32, [UInt32])] = []
        var scalar: UInt32 = 0
        var target: UInt32 = 0
        while let gap = numbers.next(), let more = numbers.next() {
            scalar += gap
            var result: [UInt32] = []
            for _ in 0...more {
                guard let distance = numbers.next() else { break }
                target = distance & 1 == 0 ? target + distance >> 1 : target - (distance >> 1) - 1
                result.append(target)
            }
            mapping.append((scalar, result))
        }
        return mapping
    }

    private mutating func next() -> UInt32? {
        var value: UInt32 = 0
        var shift: UInt32 = 0
        while let character = characters.next() {
            let digit = Self.digit(character)
            value |= (digit & 31) << shift
            shift += 5
            if digit < 32 { return value }
        }
        return nil
    }

    private static func digit(_ character: UInt8) -> UInt32 {
        switch character {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): UInt32(character) - 65
        case UInt8(ascii: "a")...UInt8(ascii: "z"): UInt32(character) - 97 + 26
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(character) - 48 + 52
        case UInt8(ascii: "+"): 62
        default: 63
        }
    }
}
