import JSONDocument

/// Cuts texts into the word pieces a BERT model was trained on, exactly as the reference tokenizer does.
package struct BertTokenizer: Sendable {
    package let settings: TokenizerSettings
    let pieces: WordPieces
    let unknown: UInt32
    let start: UInt32
    let end: UInt32
    /// Tokens that are taken out of a text literally, by their first byte, the longest first.
    private let literals: [UInt8: [(text: [UInt8], number: UInt32)]]
    private let hasLiteral: [Bool]

    /// The vocabulary in the order of its numbers.
    ///
    /// Throws the name of a special token that the vocabulary lacks.
    init(_ pieces: WordPieces, settings: TokenizerSettings) throws(MissingPiece) {
        func number(_ piece: String) throws(MissingPiece) -> UInt32 {
            guard let number = pieces.number(of: piece) else { throw MissingPiece(piece: piece) }
            return number
        }
        self.pieces = pieces
        self.settings = settings
        unknown = try number(settings.unknown)
        start = try number(settings.start)
        end = try number(settings.end)
        var literals: [UInt8: [(text: [UInt8], number: UInt32)]] = [:]
        var hasLiteral = [Bool](repeating: false, count: 256)
        for literal in settings.literals {
            let text = Array(literal.utf8)
            // A special token that the vocabulary lacks cannot occur in a text either.
            guard let first = text.first, let number = pieces.number(of: literal) else { continue }
            literals[first, default: []].append((text, number))
            hasLiteral[Int(first)] = true
        }
        self.literals = literals.mapValues { $0.sorted { $0.text.count > $1.text.count } }
        self.hasLiteral = hasLiteral
    }

    /// A special token that a vocabulary lacks.
    struct MissingPiece: Error { let piece: String }

    /// The numbers of a text's pieces between those of start and end; at most `limit` in all, and whether more were cut off.
    package func tokens(of text: String, limit: Int = .max) -> (numbers: [UInt32], isTruncated: Bool) {
        var cutter = WordCutter(self, most: max(0, limit - 2))
        let bytes = text.utf8.span
        var place = 0
        while place < bytes.count, !cutter.isFull {
            let byte = bytes[place]
            if hasLiteral[Int(byte)], let literal = literal(in: bytes, at: place) {
                cutter.endWord()
                cutter.append(literal.number)
                place += literal.text.count
            } else if byte < 0x80 {
                cutter.take(ascii: byte)
                place += 1
            } else {
                place = cutter.take(bytes, at: place)
            }
        }
        cutter.endWord()
        let isTruncated = cutter.numbers.count > cutter.most + 1
        if isTruncated { cutter.numbers.removeLast(cutter.numbers.count - cutter.most - 1) }
        cutter.numbers.append(end)
        return (cutter.numbers, isTruncated)
    }

    private func literal(in bytes: Span<UInt8>, at place: Int) -> (text: [UInt8], number: UInt32)? {
        literals[bytes[place]]?.first { literal in
            guard bytes.count - place >= literal.text.count else { return false }
            return literal.text.indices.allSatisfy { bytes[place + $0] == literal.text[$0] }
        }
    }
}

/// How a model's tokenizer treats a text before it looks words up.
package struct TokenizerSettings: Sendable, Equatable {
    /// Removes control characters and makes all white space alike.
    package var cleansText = true
    /// Makes each Chinese character a word of its own.
    package var separatesIdeographs = true
    package var stripsAccents = true
    package var lowersCase = true
    /// What begins a piece that continues a word.
    package var continuation = "##"
    /// Words with more characters are unknown.
    package var longestWord = 100
    package var unknown = "[UNK]"
    package var start = "[CLS]"
    package var end = "[SEP]"
    /// Tokens that a text may hold literally, as the reference reads them: whole and before anything else is done.
    package var literals = ["[UNK]", "[SEP]", "[PAD]", "[CLS]", "[MASK]"]

    package init() {}

    /// What Swift prints of it, which names of models depend on; looking for its members by itself takes Swift a millisecond.
    var identity: String {
        "TokenizerSettings(cleansText: \(cleansText), separatesIdeographs: \(separatesIdeographs), "
            + "stripsAccents: \(stripsAccents), lowersCase: \(lowersCase), "
            + "continuation: \(continuation.debugDescription), longestWord: \(longestWord), "
            + "unknown: \(unknown.debugDescription), start: \(start.debugDescription), end: \(end.debugDescription), "
            + "literals: \(literals.debugDescription))"
    }
}

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

    /// The file that the pieces come from, read and not taken apart.
    func source(_ settings: TokenizerSettings) throws(EncoderError) -> PieceSource {
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
        return .list(bytes, continuation: settings.continuation)
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
    ) throws(EncoderError) -> PieceSource {
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
        return .document(WordPieces(pieces, continuation: settings.continuation), pieces.flatMap { $0 + [0x0A] })
    }
}

/// Where a tokenizer's pieces come from; a list is taken apart when somebody asks for them.
enum PieceSource: Sendable {
    case list([UInt8], continuation: String)
    case document(WordPieces, [UInt8])

    /// What the model is named by.
    var bytes: [UInt8] {
        switch self {
        case .list(let bytes, _), .document(_, let bytes): bytes
        }
    }

    var pieces: WordPieces {
        switch self {
        case .list(let bytes, let continuation): WordPieces(lines: bytes, continuation: continuation)
        case .document(let pieces, _): pieces
        }
    }
}
