import JSONDocument

/// Reads a model's tokenizer: a list of pieces with settings beside it, or one document that holds both.
struct TokenizerReader {
    private let folder: String

    init(folder: String) { self.folder = folder }

    private var listPath: String { folder + "/vocab.txt" }
    private var settingsPath: String { folder + "/tokenizer_config.json" }
    private var documentPath: String { folder + "/tokenizer.json" }

    /// The settings; those beside the list are what transformers goes by, whatever the document says.
    func settings() throws(EncoderError) -> TokenizerSettings {
        if let document = try ModelDocument(ifPresent: settingsPath) { return try settings(beside: document) }
        if let document = try ModelDocument(ifPresent: documentPath) { return try settings(within: document) }
        return TokenizerSettings()
    }

    /// The pieces, and the bytes of the file they come from.
    func pieces(_ settings: TokenizerSettings) throws(EncoderError) -> (pieces: WordPieces, source: [UInt8]) {
        let list: ModelFile
        do throws(EncoderError) {
            list = try ModelFile(listPath)
        } catch {
            guard error.code == .incomplete, let document = try ModelDocument(ifPresent: documentPath) else {
                throw error
            }
            return try pieces(within: document, settings)
        }
        guard list.count <= 64 << 20 else { throw EncoderError(.damaged, listPath, "it has \(list.count) bytes") }
        let bytes = list.copy(0..<list.count)
        guard String(validating: bytes, as: UTF8.self) != nil else {
            throw EncoderError(.damaged, listPath, "it is no UTF-8")
        }
        var lines = bytes.split(separator: 0x0A, omittingEmptySubsequences: false)
        if lines.last?.isEmpty == true { lines.removeLast() }
        let pieces = lines.map { line in
            line.last == 0x0D ? line.dropLast() : line
        }
        return (WordPieces(pieces, continuation: settings.continuation), bytes)
    }

    private func settings(beside document: ModelDocument) throws(EncoderError) -> TokenizerSettings {
        let root = document.root
        var settings = TokenizerSettings()
        if let kind = root.optional("tokenizer_class")?.string(),
            !["BertTokenizer", "BertTokenizerFast"].contains(kind)
        {
            throw document.unsupported("its tokenizer is a \(kind.prefix(60)) and not a BertTokenizer")
        }
        if root.optional("do_basic_tokenize")?.bool() == false {
            throw document.unsupported("its tokenizer takes texts that are cut into words already")
        }
        settings.lowersCase = root.optional("do_lower_case")?.bool() ?? true
        settings.stripsAccents = root.optional("strip_accents")?.bool() ?? settings.lowersCase
        settings.separatesIdeographs = root.optional("tokenize_chinese_chars")?.bool() ?? true
        /// A token is written as itself or as an object.
        func token(_ name: String, _ usual: String) -> String {
            guard let reader = root.optional(name) else { return usual }
            return (reader.value.object == nil ? reader.string() : reader.required("content")?.string()) ?? usual
        }
        settings.unknown = token("unk_token", settings.unknown)
        settings.start = token("cls_token", settings.start)
        settings.end = token("sep_token", settings.end)
        settings.literals = [
            settings.unknown, settings.end, token("pad_token", "[PAD]"), settings.start, token("mask_token", "[MASK]"),
        ]
        if let added = root.optional("added_tokens_decoder") {
            for name in added.value.object?.names ?? [] {
                guard let entry = added.optional(name) else { continue }
                try addLiteral(entry, of: document, to: &settings)
            }
        }
        try document.check()
        return settings
    }

    private func settings(within document: ModelDocument) throws(EncoderError) -> TokenizerSettings {
        let root = document.root
        var settings = TokenizerSettings()
        try expect("model", "WordPiece", of: document)
        try expect("normalizer", "BertNormalizer", of: document)
        try expect("pre_tokenizer", "BertPreTokenizer", of: document)
        if let normalizer = root.required("normalizer") {
            settings.cleansText = normalizer.optional("clean_text")?.bool() ?? true
            settings.separatesIdeographs = normalizer.optional("handle_chinese_chars")?.bool() ?? true
            settings.lowersCase = normalizer.optional("lowercase")?.bool() ?? true
            settings.stripsAccents = normalizer.optional("strip_accents")?.bool() ?? settings.lowersCase
        }
        if let model = root.required("model") {
            settings.unknown = model.optional("unk_token")?.string() ?? settings.unknown
            settings.continuation = model.optional("continuing_subword_prefix")?.string() ?? settings.continuation
            settings.longestWord = model.optional("max_input_chars_per_word")?.int(in: 1...100_000) ?? 100
        }
        settings.literals = []
        for entry in root.optional("added_tokens")?.items() ?? [] {
            try addLiteral(entry, of: document, to: &settings)
        }
        try document.check()
        return settings
    }

    private func expect(_ name: String, _ kind: String, of document: ModelDocument) throws(EncoderError) {
        let found = document.root.required(name)?.required("type")?.string()
        try document.check()
        guard let found, found != kind else { return }
        throw document.unsupported("its \(name) is a \(found.prefix(60)) and not a \(kind)")
    }

    private func addLiteral(
        _ entry: JSONReader,
        of document: ModelDocument,
        to settings: inout TokenizerSettings
    ) throws(EncoderError) {
        guard let text = entry.required("content")?.string() else { return }
        let isPlain =
            entry.optional("normalized")?.bool() != true && entry.optional("single_word")?.bool() != true
            && !text.isEmpty
        guard isPlain else {
            throw document.unsupported("its added token \"\(text.prefix(40))\" is looked for in a way of its own")
        }
        if !settings.literals.contains(text) { settings.literals.append(text) }
    }

    private func pieces(
        within document: ModelDocument,
        _ settings: TokenizerSettings
    ) throws(EncoderError) -> (pieces: WordPieces, source: [UInt8]) {
        let members = document.root.required("model")?.required("vocab")?.value.object?.members ?? []
        var pieces = [[UInt8]](repeating: [], count: members.count)
        for member in members {
            guard let number = member.value.int, pieces.indices.contains(number), pieces[number].isEmpty else {
                throw EncoderError(.damaged, document.path, "its pieces are not numbered from 0 without a gap")
            }
            pieces[number] = Array(member.name.utf8)
        }
        try document.check()
        guard !pieces.isEmpty else { throw EncoderError(.incomplete, document.path, "there are no pieces in it") }
        return (WordPieces(pieces, continuation: settings.continuation), pieces.flatMap { $0 + [0x0A] })
    }
}
