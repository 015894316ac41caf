import JSONDocument

/// What a model's own files say about it.
package struct ModelSettings: Sendable, Equatable {
    /// How a text's tokens become one vector.
    package enum Pooling: String, Sendable {
        case mean
        /// The vector of the first token.
        case first
    }

    /// Where the weights and the tokenizer are.
    package var folder: String
    /// What the model's authors call what it was made from; for people to read.
    package var label: String
    package var hidden: Int
    package var layers: Int
    package var heads: Int
    package var intermediate: Int
    package var vocabulary: Int
    package var positions: Int
    package var kinds: Int
    package var epsilon: Float
    package var pooling: Pooling
    /// The most tokens of a text, those at its start and end among them.
    package var mostTokens: Int
    package var prefixes: TextPrefixes
    package var tokenizer: TokenizerSettings

    /// Everything that changes vectors, as one line.
    var identity: String {
        [
            "\(hidden) \(layers) \(heads) \(intermediate) \(vocabulary) \(positions) \(epsilon) \(pooling.rawValue)"
                + " \(mostTokens)",
            tokenizer.identity, prefixes.query, prefixes.passage,
        ].joined(separator: "\n")
    }
}

/// Reads a model's folder as sentence-transformers and transformers write it.
struct ModelSettingsReader {
    private let directory: String

    /// The vectors' dimensions that fit the 768 of the store, as they are or with zeros behind them.
    private static let knownDimensions = [384, 768]

    init(directory: String) { self.directory = directory }

    func read() throws(EncoderError) -> ModelSettings {
        var folder = directory
        var pooling = ModelSettings.Pooling.mean
        if let modules = try ModelDocument(ifPresent: directory + "/modules.json") {
            for module in modules.root.items() {
                let path = module.optional("path")?.string() ?? ""
                let kind = module.required("type")?.string() ?? ""
                try modules.check()
                guard !path.hasPrefix("/"), !path.split(separator: "/").contains("..") else {
                    throw modules.unsupported("its part \"\(path.prefix(60))\" lies outside its folder")
                }
                switch kind.split(separator: ".").last {
                case "Transformer": if !path.isEmpty { folder = directory + "/" + path }
                case "Pooling": pooling = try self.pooling(in: directory + "/" + path)
                case "Normalize": break
                default: throw modules.unsupported("it has a part of kind \"\(kind.prefix(80))\"")
                }
            }
            try modules.check()
        }
        var settings = try shape(folder: folder, pooling: pooling)
        try readLimits(&settings)
        return settings
    }

    private func pooling(in folder: String) throws(EncoderError) -> ModelSettings.Pooling {
        let document = try ModelDocument(path: folder + "/config.json")
        var modes: [String] = []
        if let mode = document.root.optional("pooling_mode")?.string() { modes.append(mode) }
        for member in document.root.value.object?.members ?? []
        where member.name.hasPrefix("pooling_mode_") && member.value == .bool(true) {
            modes.append(String(member.name.dropFirst("pooling_mode_".count)))
        }
        try document.check()
        if document.root.optional("include_prompt")?.bool() == false {
            throw document.unsupported("its pooling leaves prompts out")
        }
        switch modes {
        case ["mean"], ["mean_tokens"], []: return .mean
        case ["cls"], ["cls_token"]: return .first
        default:
            throw document.unsupported(
                "it pools by \(modes.joined(separator: " and ")), and not by mean or first token"
            )
        }
    }

    private func shape(folder: String, pooling: ModelSettings.Pooling) throws(EncoderError) -> ModelSettings {
        let document = try ModelDocument(path: folder + "/config.json")
        let root = document.root
        func number(_ name: String, _ range: ClosedRange<Int>) -> Int { root.required(name)?.int(in: range) ?? 1 }
        func expect(_ name: String, _ wanted: String, required: Bool) throws(EncoderError) {
            let found = required ? root.required(name)?.string() : root.optional(name)?.string()
            if let found, found != wanted {
                throw document.unsupported("its \(name) is \"\(found.prefix(40))\" and not \"\(wanted)\"")
            }
        }
        try expect("model_type", "bert", required: true)
        try expect("hidden_act", "gelu", required: true)
        try expect("position_embedding_type", "absolute", required: false)
        if root.optional("is_decoder")?.bool() == true { throw document.unsupported("it is a decoder") }
        let settings = ModelSettings(
            folder: folder,
            label: Self.label(root.optional("_name_or_path")?.string() ?? ""),
            hidden: number("hidden_size", 1...65_536),
            layers: number("num_hidden_layers", 1...128),
            heads: number("num_attention_heads", 1...1_024),
            intermediate: number("intermediate_size", 1...65_536),
            vocabulary: number("vocab_size", 1...WordPieces.most),
            positions: number("max_position_embeddings", 3...1_048_576),
            kinds: root.optional("type_vocab_size")?.int(in: 1...1_024) ?? 2,
            epsilon: Float(root.optional("layer_norm_eps")?.double(in: 1e-20...1) ?? 1e-12),
            pooling: pooling,
            mostTokens: 0,
            prefixes: TextPrefixes(),
            tokenizer: TokenizerSettings()
        )
        try document.check()
        guard Self.knownDimensions.contains(settings.hidden) else {
            throw document.unsupported(
                "its vectors have \(settings.hidden) dimensions, and only 384 and 768 fit the store"
            )
        }
        guard settings.hidden.isMultiple(of: settings.heads) else {
            throw document.unsupported("its \(settings.hidden) dimensions cannot be shared by \(settings.heads) heads")
        }
        return settings
    }

    private func readLimits(_ settings: inout ModelSettings) throws(EncoderError) {
        settings.mostTokens = settings.positions
        var lowersCase = false
        if let document = try ModelDocument(ifPresent: settings.folder + "/sentence_bert_config.json") {
            if let most = document.root.optional("max_seq_length")?.int(in: 3...1 << 40) {
                settings.mostTokens = min(most, settings.mostTokens)
            }
            lowersCase = document.root.optional("do_lower_case")?.bool() ?? false
            try document.check()
        } else if let document = try ModelDocument(ifPresent: settings.folder + "/tokenizer_config.json") {
            // Where no limit was known, a number beyond all integers stands here.
            if let most = document.root.optional("model_max_length")?.double(in: 3...Double.greatestFiniteMagnitude) {
                settings.mostTokens = Int(min(most, Double(settings.mostTokens)))
            }
            try document.check()
        }
        settings.tokenizer = try TokenizerReader(folder: settings.folder).settings()
        if lowersCase { settings.tokenizer.lowersCase = true }
        if let document = try ModelDocument(ifPresent: directory + "/config_sentence_transformers.json") {
            let prompts = document.root.optional("prompts")
            let usual = document.root.optional("default_prompt_name")?.string()
            func prompt(_ names: [String]) -> String {
                let known = (names + [usual].compactMap { $0 }).first { prompts?.optional($0) != nil }
                return known.flatMap { prompts?.optional($0)?.string() } ?? ""
            }
            settings.prefixes = TextPrefixes(query: prompt(["query"]), passage: prompt(["passage", "document"]))
            try document.check()
        }
    }

    /// The last part of a path, if it can be shown.
    private static func label(_ path: String) -> String {
        let name = path.split(separator: "/").last ?? "bert"
        let isPlain =
            name.utf8.allSatisfy { (0x21...0x7E).contains($0) && $0 != UInt8(ascii: "@") } && name.utf8.count <= 80
        return isPlain ? String(name) : "bert"
    }
}
