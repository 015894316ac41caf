import Foundation
import JSONDocument

@testable import TextEncoding

/// A small model in a folder of its own, to be damaged at will, gone with the test.
final class ModelFolder {
    let path: String

    static let pieces = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "warm", "gloves", "##s", "a", "b"]
    static let hidden = 384
    static let intermediate = 64

    init() throws {
        path = FileManager.default.temporaryDirectory.appendingPathComponent("model-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    }

    deinit {
        do {
            try FileManager.default.removeItem(atPath: path)
        } catch {
            // A folder that cannot be removed is the system's to clear; the test has said what it had to say.
        }
    }

    func write(_ text: String, _ name: String) throws {
        let target = URL(filePath: path + "/" + name)
        try FileManager.default.createDirectory(
            at: target.deletingLastPathComponent(),
            withIntermediateDirectories: true
        )
        try Data(text.utf8).write(to: target)
    }

    func write(_ bytes: [UInt8], _ name: String) throws { try Data(bytes).write(to: URL(filePath: path + "/" + name)) }

    func bytes(_ name: String) throws -> [UInt8] { try [UInt8](Data(contentsOf: URL(filePath: path + "/" + name))) }

    /// Writes a whole model whose numbers a seed decides.
    @discardableResult
    func filled(
        seed: UInt64 = 1,
        settings: [String: JSONValue] = [:],
        as number: String = "F32",
        prefix: String = ""
    ) throws
        -> ModelFolder
    {
        try write(Self.configuration(settings), "config.json")
        try write(Self.pieces.joined(separator: "\n") + "\n", "vocab.txt")
        try write(Self.tensors(seed: seed, number: number, prefix: prefix), "model.safetensors")
        return self
    }

    /// Changes the numbers of one tensor, in place and in single precision.
    func change(_ tensor: String, _ body: (inout [Float]) -> Void) throws {
        var bytes = try bytes("model.safetensors")
        var header = 0
        for byte in bytes[..<8].reversed() { header = header << 8 | Int(byte) }
        header += 8
        let before = Self.shapes.prefix { $0.name != tensor }.reduce(0) { $0 + $1.shape.reduce(1, *) * 4 }
        guard let shape = Self.shapes.first(where: { $0.name == tensor })?.shape else {
            throw CocoaError(.fileNoSuchFile)
        }
        let start = header + before
        var numbers: [Float] = []
        for number in 0..<shape.reduce(1, *) {
            var bits: UInt32 = 0
            for byte in 0..<4 { bits |= UInt32(bytes[start + 4 * number + byte]) << UInt32(8 * byte) }
            numbers.append(Float(bitPattern: bits))
        }
        body(&numbers)
        for (number, value) in numbers.enumerated() {
            for byte in 0..<4 {
                bytes[start + 4 * number + byte] = UInt8(truncatingIfNeeded: value.bitPattern >> UInt32(8 * byte))
            }
        }
        try write(bytes, "model.safetensors")
    }

    /// An encoder of this model; the folder is kept until it has loaded.
    func encoder(_ precision: EncoderPrecision? = nil, threads: Int = 1) throws -> Encoder {
        try withExtendedLifetime(self) { try Encoder(directory: path, threads: threads, precision: precision) }
    }

    static func configuration(_ changes: [String: JSONValue] = [:]) -> String {
        var members: [String: JSONValue] = [
            "model_type": "bert", "hidden_act": "gelu", "hidden_size": .integer(hidden), "num_hidden_layers": 1,
            "num_attention_heads": 12, "intermediate_size": .integer(intermediate),
            "vocab_size": .integer(pieces.count), "max_position_embeddings": 16, "layer_norm_eps": 1e-12,
        ]
        for (name, value) in changes { members[name] = value }
        let sorted = members.sorted { $0.key < $1.key }.map { JSONObject.Member(name: $0.key, value: $0.value) }
        return JSONWriter.text(.object(JSONObject(sorted)))
    }

    /// All tensors' names and shapes, in the order of the file.
    static var shapes: [(name: String, shape: [Int])] {
        let layer = "encoder.layer.0."
        var shapes: [(String, [Int])] = [
            ("embeddings.word_embeddings.weight", [pieces.count, hidden]),
            ("embeddings.position_embeddings.weight", [16, hidden]),
            ("embeddings.token_type_embeddings.weight", [2, hidden]), ("embeddings.LayerNorm.weight", [hidden]),
            ("embeddings.LayerNorm.bias", [hidden]),
        ]
        for part in ["self.query", "self.key", "self.value", "output.dense"] {
            shapes.append((layer + "attention.\(part).weight", [hidden, hidden]))
            shapes.append((layer + "attention.\(part).bias", [hidden]))
        }
        shapes += [
            (layer + "intermediate.dense.weight", [intermediate, hidden]),
            (layer + "intermediate.dense.bias", [intermediate]),
            (layer + "output.dense.weight", [hidden, intermediate]), (layer + "output.dense.bias", [hidden]),
        ]
        for part in ["attention.output", "output"] {
            shapes.append((layer + "\(part).LayerNorm.weight", [hidden]))
            shapes.append((layer + "\(part).LayerNorm.bias", [hidden]))
        }
        return shapes
    }

    static func tensors(seed: UInt64, number: String = "F32", prefix: String = "") -> [UInt8] {
        var random = SplitMix(state: seed)
        var data: [UInt8] = []
        var members: [JSONObject.Member] = []
        for (name, shape) in shapes {
            let start = data.count
            for _ in 0..<shape.reduce(1, *) {
                // Exact in every kind of number: seven bits behind the first.
                let part = Float(Int8.random(in: -64...63, using: &random))
                let value = name.hasSuffix("Norm.weight") ? 1 + part / 128 : part / 256
                switch number {
                case "F16": append(UInt16(Self.half(value)), to: &data)
                case "BF16": append(UInt16(value.bitPattern >> 16), to: &data)
                default:
                    for shift in stride(from: 0, to: 32, by: 8) {
                        data.append(UInt8(truncatingIfNeeded: value.bitPattern >> UInt32(shift)))
                    }
                }
            }
            members.append(
                JSONObject.Member(
                    name: prefix + name,
                    value: [
                        "dtype": .string(number), "shape": .array(shape.map(JSONValue.integer)),
                        "data_offsets": [.integer(start), .integer(data.count)],
                    ]
                )
            )
        }
        return file(header: JSONWriter.text(.object(JSONObject(members))), data: data)
    }

    /// A file of that header, its length before it, and data behind it.
    static func file(header: String, data: [UInt8]) -> [UInt8] {
        var header = Array(header.utf8)
        while !header.count.isMultiple(of: 8) { header.append(0x20) }
        let length = (0..<8).map { UInt8(truncatingIfNeeded: header.count >> ($0 * 8)) }
        return length + header + data
    }

    private static func append(_ half: UInt16, to data: inout [UInt8]) {
        data.append(UInt8(truncatingIfNeeded: half))
        data.append(UInt8(truncatingIfNeeded: half >> 8))
    }

    /// A number of few bits in half precision.
    private static func half(_ value: Float) -> UInt16 {
        guard value != 0 else { return 0 }
        let bits = value.bitPattern
        let exponent = UInt32(bits >> 23 & 0xFF) - 112
        return UInt16(bits >> 31) << 15 | UInt16(exponent) << 10 | UInt16(bits >> 13 & 0x3FF)
    }
}
