import Foundation
import JSONDocument
import TestSupport
import Testing

@testable import TextEncoding

@Suite("A model that cannot be used", .onOwnThreads)
struct ModelDamageTests {
    struct Change: Sendable, CustomTestStringConvertible {
        let name: String
        let settings: [String: JSONValue]
        let code: EncoderError.Code
        let says: String
        var testDescription: String { name }
    }

    static let changes = [
        Change(name: "type", settings: ["model_type": "roberta"], code: .unsupported, says: "roberta"),
        Change(name: "activation", settings: ["hidden_act": "gelu_new"], code: .unsupported, says: "gelu_new"),
        Change(
            name: "positions",
            settings: ["position_embedding_type": "relative_key"],
            code: .unsupported,
            says: "relative_key"
        ),
        Change(name: "dimension", settings: ["hidden_size": 1_024], code: .unsupported, says: "1024 dimensions"),
        Change(name: "heads", settings: ["num_attention_heads": 7], code: .unsupported, says: "7 heads"),
        Change(name: "no layers", settings: ["num_hidden_layers": 0], code: .damaged, says: "num_hidden_layers"),
        Change(name: "more layers", settings: ["num_hidden_layers": 2], code: .incomplete, says: "encoder.layer.1."),
        Change(
            name: "wide",
            settings: ["intermediate_size": 128],
            code: .damaged,
            says: "intermediate.dense.weight\" is 64 × 384"
        ),
        Change(name: "words", settings: ["vocab_size": 9], code: .damaged, says: "10 pieces"),
        Change(name: "cut list", settings: ["vocab_size": 2_000], code: .damaged, says: "10 pieces"),
        Change(name: "text for a number", settings: ["hidden_size": "384"], code: .damaged, says: "$.hidden_size"),
        Change(name: "nothing", settings: ["hidden_size": .null], code: .damaged, says: "$.hidden_size"),
        Change(name: "epsilon", settings: ["layer_norm_eps": -1], code: .damaged, says: "layer_norm_eps"),
    ]

    @Test(arguments: changes)
    func `is refused for its settings in a sentence`(change: Change) throws {
        try Self.expect(change.code, change.says, try ModelFolder().filled(settings: change.settings))
    }

    @Test(arguments: ["config.json", "vocab.txt", "model.safetensors"])
    func `is refused when a file is missing, empty, a folder or anything else`(name: String) throws {
        let folder = try ModelFolder().filled()
        try folder.write([], name)
        #expect(throws: EncoderError.self) { try Encoder(directory: folder.path) }
        try folder.write((0..<200).map { UInt8(truncatingIfNeeded: $0 * 37 + 128) }, name)
        #expect(throws: EncoderError.self) { try Encoder(directory: folder.path) }
        try FileManager.default.removeItem(atPath: folder.path + "/" + name)
        try Self.expect(.incomplete, name, folder)
        try FileManager.default.createDirectory(atPath: folder.path + "/" + name, withIntermediateDirectories: false)
        try Self.expect(.unreadable, name, folder)
    }

    @Test(arguments: [
        ("modules.json", #"[{"path": "2_Dense", "type": "sentence_transformers.models.Dense"}]"#, "Dense"),
        ("modules.json", #"[{"path": "../other", "type": "sentence_transformers.models.Transformer"}]"#, "outside"),
        (
            "modules.json", #"[{"path": "1_Pooling", "type": "sentence_transformers.models.Pooling"}]"#,
            "1_Pooling/config.json"
        ),
        ("tokenizer_config.json", #"{"tokenizer_class": "MPNetTokenizer"}"#, "MPNetTokenizer"),
        ("tokenizer_config.json", #"{"do_basic_tokenize": false}"#, "words already"),
        ("tokenizer_config.json", #"{"cls_token": "<s>"}"#, "<s>"),
        ("sentence_bert_config.json", #"{"max_seq_length": 1}"#, "max_seq_length"),
    ])
    func `is refused for what its other files say`(name: String, text: String, says: String) throws {
        let folder = try ModelFolder().filled()
        try folder.write(text, name)
        let error = #expect(throws: EncoderError.self) { try Encoder(directory: folder.path) }
        #expect(error?.description.contains(says) == true, "\(error?.description ?? "")")
    }

    @Test(arguments: [
        (#"{"pooling_mode_cls_token": true}"#, ModelSettings.Pooling.first), (#"{"pooling_mode": "cls"}"#, .first),
        (#"{"pooling_mode_mean_tokens": true, "pooling_mode_cls_token": false}"#, .mean),
    ])
    func `differs from one that pools in a known way`(text: String, pooling: ModelSettings.Pooling) throws {
        let folder = try ModelFolder().filled()
        try folder.write(#"[{"path": "1_Pooling", "type": "sentence_transformers.models.Pooling"}]"#, "modules.json")
        try folder.write(text, "1_Pooling/config.json")
        #expect(try Encoder(directory: folder.path).settings.pooling == pooling)
        try folder.write(#"{"pooling_mode_max_tokens": true}"#, "1_Pooling/config.json")
        try Self.expect(.unsupported, "max_tokens", folder)
    }

    struct Weight: Sendable, CustomTestStringConvertible {
        let tensor: String
        let value: Float
        let says: String
        var testDescription: String { "\(value) in \(tensor)" }
    }

    static let weights = [
        "embeddings.word_embeddings.weight", "embeddings.LayerNorm.bias", "encoder.layer.0.attention.self.key.weight",
        "encoder.layer.0.output.LayerNorm.bias", "embeddings.position_embeddings.weight",
    ].flatMap { tensor in
        [
            Weight(tensor: tensor, value: .nan, says: "no number"),
            Weight(tensor: tensor, value: -.infinity, says: "an infinite number"),
            Weight(tensor: tensor, value: 3e38, says: "no weight is beyond"),
            Weight(tensor: tensor, value: -2e6, says: "no weight is beyond"),
        ]
    }

    @Test(arguments: weights)
    func `is refused for one weight that cannot be worked with, and the tensor is named`(weight: Weight) throws {
        let folder = try ModelFolder().filled()
        try folder.change(weight.tensor) { $0[$0.count / 2] = weight.value }
        try Self.expect(.damaged, "\"\(weight.tensor)\" holds", folder)
        try Self.expect(.damaged, weight.says, folder)
    }

    @Test(arguments: [
        "embeddings.word_embeddings.weight", "embeddings.LayerNorm.weight",
        "encoder.layer.0.attention.self.query.weight", "encoder.layer.0.output.dense.weight",
    ])
    func `is refused for weights that are all zero`(tensor: String) throws {
        let folder = try ModelFolder().filled()
        try folder.change(tensor) { numbers in for place in numbers.indices { numbers[place] = 0 } }
        try Self.expect(.damaged, "\"\(tensor)\" holds nothing but zeros", folder)
    }

    @Test func `is none whose biases are all zero`() throws {
        let folder = try ModelFolder().filled()
        try folder.change("encoder.layer.0.attention.self.query.bias") { numbers in
            for place in numbers.indices { numbers[place] = 0 }
        }
        #expect(try folder.encoder().encode(["warm"]).count == 1)
    }

    @Test(arguments: [
        ("model.safetensors.index.json", "join them"), ("pytorch_model.bin", "convert them"),
        ("pytorch_model.bin.index.json", "convert them"), ("tf_model.h5", "TensorFlow"),
    ])
    func `is told what form its weights have, where it is another`(name: String, word: String) throws {
        let folder = try ModelFolder().filled()
        try folder.write([1, 2, 3], name)
        #expect(try folder.encoder().encode(["warm"]).count == 1)
        try FileManager.default.removeItem(atPath: folder.path + "/model.safetensors")
        try Self.expect(.unsupported, name, folder)
        try Self.expect(.unsupported, word, folder)
    }

    @Test func `is found nowhere`() throws {
        let folder = try ModelFolder()
        let search = ModelSearch(environment: ["KNOT_CACHE": folder.path], ofMachine: "/nowhere")
        let error = #expect(throws: EncoderError.self) { try search.directory() }
        #expect(error?.code == .noModel)
        #expect(error?.description.contains(folder.path) == true)
        #expect(throws: EncoderError.self) { try search.directory(named: folder.path) }
    }

    @Test func `is none that was named or set up`() throws {
        let cache = try ModelFolder()
        try cache.write("{}", ModelSearch.defaultFolder + "/config.json")
        let named = try ModelFolder().filled()
        #expect(
            try ModelSearch(environment: ["XDG_CACHE_HOME": "/", "KNOT_CACHE": cache.path]).directory() == cache.path
                + "/" + ModelSearch.defaultFolder
        )
        #expect(
            try ModelSearch(environment: ["KNOT_CACHE": cache.path, "KNOT_MODEL": named.path]).directory() == named.path
        )
        #expect(try ModelSearch(environment: ["KNOT_MODEL": "/nowhere"]).directory(named: named.path) == named.path)
    }

    @Test func `is found where set-up put it, whatever cache a command uses`() throws {
        let (cache, home) = (try ModelFolder(), try ModelFolder())
        let model = "knot-recommend/" + ModelSearch.defaultFolder
        try home.write("{}", model + "/config.json")
        let search = ModelSearch(environment: ["KNOT_CACHE": cache.path, "XDG_CACHE_HOME": home.path])
        #expect(try search.directory() == "\(home.path)/\(model)")
        let machine = ModelSearch(environment: ["KNOT_CACHE": cache.path], ofMachine: home.path)
        #expect(try machine.directory() == "\(home.path)/\(model)")
    }

    private static func expect(_ code: EncoderError.Code, _ says: String, _ folder: ModelFolder) throws {
        let error = #expect(throws: EncoderError.self) { try Encoder(directory: folder.path) }
        #expect(error?.code == code, "\(error?.description ?? "")")
        #expect(error?.description.contains(says) == true, "\(error?.description ?? "")")
        #expect(error?.path.hasPrefix(folder.path) == true)
    }
}
