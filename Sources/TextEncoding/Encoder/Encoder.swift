import CVectorKernels
package import Digest
import Threads
package import VectorSearch

/// Turns texts into vectors with a BERT model, in this process.
///
/// A text's vector depends on the text and the model alone: neither the batch, nor the texts beside it, nor the number
/// of threads changes a bit of it. Calls may run side by side; each takes memory of its own.
package struct Encoder: Sendable {
    /// What every vector of this encoder says about where it comes from.
    ///
    /// Two encoders have one name exactly when their vectors may be compared and kept for one another: the same weights,
    /// pieces, pooling, prefixes and limit, *and* the same precision. Vectors in bytes and in single precision lie close
    /// together, yet not so close that a near tie between two gifts would stay what it was; a store that mixed them would
    /// rank by which machine happened to embed what.
    package let model: String
    package let settings: ModelSettings
    package let weightsDigest: SHA256Digest
    package let precision: EncoderPrecision
    /// The kernels that it runs on: those of another kind round in other places, so that bits of a vector differ.
    package let kernels: String
    package let threads: Int

    private let parts: EncoderParts
    private let workspaces: WorkspacePool

    /// Loads a model's folder.
    ///
    /// The whole file of weights is read once, for its SHA-256 and to see that its numbers are sound; where there are records,
    /// later starts go by what they say of the same file, and take the model up when the first text comes.
    ///
    /// A text's vector is that of this machine's fastest kernels whichever ones compare vectors afterwards: kernels of other kinds
    /// round in other places, and all of these compare bit by bit alike.
    ///
    /// Without a precision, bytes are taken where these kernels are faster with them, single precision where not; without
    /// prefixes, what the model's files say.
    package init(
        directory: String,
        threads: Int = 1,
        precision: EncoderPrecision? = nil,
        prefixes: TextPrefixes? = nil,
        kernels: Kernels = .fastest,
        records: (any ModelRecords)? = nil
    ) throws(EncoderError) {
        var settings = try ModelSettingsReader(directory: directory).read()
        if let prefixes { settings.prefixes = prefixes }
        let source = try TokenizerReader(folder: settings.folder).source(settings.tokenizer)
        var tensors = try ModelTensors(folder: settings.folder)
        let known = records?.record(of: tensors.file.stamp)
        tensors.checksNumbers = known == nil
        guard let table = unsafe knot_kernels_named(kernels.name) else {
            throw EncoderError(.unsupported, directory, "there are no kernels \(kernels.name)")
        }
        let precision = unsafe precision ?? .best(on: table)
        self.threads = max(1, threads)
        self.settings = settings
        self.precision = precision
        self.kernels = kernels.name
        workspaces = WorkspacePool()
        parts = EncoderParts(
            settings,
            source,
            tensors,
            kernels: kernels,
            precision: precision,
            threads: self.threads,
            known: known,
            records: records
        )
        func name(_ weights: SHA256Digest) -> String {
            let digest = SHA256Digest(of: Array(settings.identity.utf8) + source.bytes + weights.bytes)
            return "\(settings.label)@\(String(describing: digest).prefix(12))/\(precision.rawValue)"
        }
        if let known {
            let name = name(known.digest)
            if known.sound == EncoderParts.sound(name, kernels) {
                weightsDigest = known.digest
                model = name
                return
            }
        }
        _ = try parts.loaded()
        weightsDigest = known?.digest ?? tensors.file.digest
        model = name(weightsDigest)
        let sound = EncoderParts.sound(model, kernels)
        records?.keep(ModelRecord(stamp: tensors.file.stamp, digest: weightsDigest, sound: sound))
    }

    /// Takes the model up before the first text comes; what is wrong with it is told when one does.
    package func prepare() { _ = Result { () throws(EncoderError) in try parts.loaded() } }

    /// The vectors of texts, in order.
    package func encode(_ texts: [String], as role: TextRole = .passage) throws(EncoderError) -> [Embedding] {
        try encodeCounting(texts, as: role).embeddings
    }

    /// The vectors of texts, in order, and how much was read to make them.
    ///
    /// What is longer than the model reads is not read on; whoever has longer texts shortens them where it can be said.
    package func encodeCounting(_ texts: [String], as role: TextRole = .passage) throws(EncoderError) -> EncodedTexts {
        let (tokenizer, weights) = try parts.loaded()
        let cut = tokens(of: texts, as: role, by: tokenizer)
        let total = cut.reduce(0) { $0 + $1.numbers.count }
        let batches = TextBatches(cut.map(\.numbers), most: Self.batchTokens, workers: threads)
        let workers = ThreadParts.split(min(threads, batches.batches.count), into: threads)
        let results = ThreadParts.map(workers) { _ in work(through: batches, with: weights) }

        var embeddings = [Embedding?](repeating: nil, count: texts.count)
        for result in results {
            for (place, embedding) in try result.get() { embeddings[place] = embedding }
        }
        let known = embeddings.compactMap { $0 }
        guard known.count == texts.count else {
            throw EncoderError(.damaged, settings.folder, "its weights give vectors that are not finite")
        }
        return EncodedTexts(
            embeddings: known,
            tokenCount: total
        )
    }

    /// The tokens of each text, prefix and ends among them, and whether the text has more than the model reads.
    private func tokens(
        of texts: [String],
        as role: TextRole,
        by tokenizer: BertTokenizer
    ) -> [(numbers: [UInt32], isTruncated: Bool)] {
        let prefix = settings.prefixes[role]
        let parts = ThreadParts.split(texts.count, into: texts.count >= Self.textsWorthThreads ? threads : 1)
        return ThreadParts.map(parts) { part in
            texts[part].map { text in
                tokenizer.tokens(of: prefix.isEmpty ? text : prefix + text, limit: settings.mostTokens)
            }
        }
        .flatMap { $0 }
    }

    /// Tokens of a batch, on average or fewer: enough that the weights are read seldom, and few enough for the cache.
    private static let batchTokens = 512
    private static let textsWorthThreads = 256

    private func work(
        through batches: TextBatches,
        with weights: EncoderWeights
    ) -> Result<[(Int, Embedding?)], EncoderError> {
        let most = Self.batchTokens + settings.mostTokens
        guard
            let workspace = workspaces.take()
                ?? EncoderWorkspace(weights, pooling: settings.pooling, mostTokens: most, longest: settings.mostTokens)
        else {
            return .failure(EncoderError(.outOfMemory, settings.folder, "a batch of \(most) tokens was to be encoded"))
        }
        defer { workspaces.put(workspace) }
        var made: [(Int, Embedding?)] = []
        while let batch = batches.take() {
            for (text, vector) in zip(batch, workspace.vectors(of: batch)) {
                made.append((text.place, Embedding(vector, model: model)))
            }
        }
        if weights.packed.isCut {
            return .failure(EncoderError(.damaged, settings.folder, "its packed layers were cut short meanwhile"))
        }
        return .success(made)
    }
}

extension Encoder {
    /// The weights that every threshold was made for: those set-up unpacks.
    private static let referenceWeights = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"

    /// Whether this is the model that every threshold was made for.
    package var isReference: Bool {
        weightsDigest.hex == Self.referenceWeights && settings.pooling == .mean && settings.prefixes == TextPrefixes()
    }
}

/// Vectors of texts, and how much was read to make them.
package struct EncodedTexts: Sendable {
    /// One for each text, in order.
    package let embeddings: [Embedding]
    /// All texts' tokens, those at their starts and ends among them.
    package let tokenCount: Int
}

/// What a model wants in front of texts.
package struct TextPrefixes: Sendable, Equatable {
    package var query: String
    package var passage: String

    package init(query: String = "", passage: String = "") {
        self.query = query
        self.passage = passage
    }

    package subscript(role: TextRole) -> String {
        switch role {
        case .query: query
        case .passage: passage
        }
    }
}

/// What a text is to the others it is compared with; some models want a prefix that says so.
package enum TextRole: String, Sendable, CaseIterable {
    /// What is looked for.
    case query
    /// What is looked through.
    case passage
}
