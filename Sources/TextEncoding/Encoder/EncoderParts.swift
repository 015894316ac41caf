import CVectorKernels
import Synchronization
import VectorSearch

/// What an encoder works with: the tokenizer and the weights, taken up when the first text comes.
///
/// A run whose texts all have vectors needs neither. Where a model was never taken up on this machine, the encoder does so
/// at once, so that what is wrong with it is told before anything is begun.
final class EncoderParts: Sendable {
    typealias Loaded = (tokenizer: BertTokenizer, weights: EncoderWeights)

    private enum State {
        case waiting(@Sendable () throws(EncoderError) -> Loaded)
        case done(Result<Loaded, EncoderError>)
    }

    private let state: Mutex<State>

    init(
        _ settings: ModelSettings,
        _ source: PieceSource,
        _ tensors: ModelTensors,
        kernels: Kernels,
        precision: EncoderPrecision,
        threads: Int,
        known: ModelRecord?,
        records: (any ModelRecords)?
    ) {
        state = Mutex(
            .waiting { () throws(EncoderError) in
                let tokenizer = try Self.tokenizer(settings, source.pieces)
                guard let table = unsafe knot_kernels_named(kernels.name) else {
                    throw EncoderError(.unsupported, settings.folder, "there are no kernels \(kernels.name)")
                }
                let weights = try unsafe EncoderWeights(
                    settings,
                    tensors,
                    kernels: table,
                    precision: precision,
                    threads: threads,
                    known: known,
                    records: records
                )
                return (tokenizer, weights)
            }
        )
    }

    /// The parts; what is wrong with them is wrong for good.
    func loaded() throws(EncoderError) -> Loaded {
        // Made under the lock, so that it is made once; what makes it comes never back here.
        try state.withLock { state in
            switch state {
            case .done(let result): return result
            case .waiting(let make):
                let result = Result { () throws(EncoderError) in try make() }
                state = .done(result)
                return result
            }
        }.get()
    }

    /// What says that a model was taken up whole by kernels.
    static func sound(_ model: String, _ kernels: Kernels) -> String { "\(model) \(kernels.name)" }

    /// Vocabularies are padded to a round number at most; far fewer pieces are a list that was cut short.
    private static let mostPadding = 1_024

    private static func tokenizer(
        _ settings: ModelSettings,
        _ pieces: WordPieces
    ) throws(EncoderError) -> BertTokenizer {
        guard pieces.count <= settings.vocabulary, pieces.count + mostPadding > settings.vocabulary else {
            throw EncoderError(
                .damaged,
                settings.folder,
                "its tokenizer has \(pieces.count) pieces, and its settings say \(settings.vocabulary)"
            )
        }
        do throws(BertTokenizer.MissingPiece) {
            return try BertTokenizer(pieces, settings: settings.tokenizer)
        } catch {
            throw EncoderError(.incomplete, settings.folder, "its tokenizer has no piece \"\(error.piece.prefix(40))\"")
        }
    }
}
