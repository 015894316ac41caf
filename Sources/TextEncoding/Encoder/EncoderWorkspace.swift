import CVectorKernels
import Glibc
import Synchronization
import VectorSearch

/// One thread's place to work: memory for the states of a batch and for what lies between them.
///
/// Safe to send: whoever takes it out of the store has it alone until it is put back.
final class EncoderWorkspace: @unchecked Sendable {
    private let weights: EncoderWeights
    private let pooling: ModelSettings.Pooling
    private let states: EncoderMemory
    private let scratch: EncoderMemory
    private let mostTokens: Int
    private var ids: [UInt32] = []
    private var places: [UInt32] = []
    private var starts: [UInt32] = []

    /// For batches of at most `mostTokens` tokens, in texts of at most `longest`.
    init?(_ weights: EncoderWeights, pooling: ModelSettings.Pooling, mostTokens: Int, longest: Int) {
        let bytes = unsafe withUnsafePointer(to: weights.shape) { shape in
            unsafe knot_encoder_scratch(weights.kernels, shape, weights.precision, mostTokens, longest)
        }
        guard let states = EncoderMemory(mostTokens * Int(weights.shape.hidden) * 4),
            let scratch = EncoderMemory(bytes)
        else { return nil }
        self.weights = weights
        self.pooling = pooling
        self.states = states
        self.scratch = scratch
        self.mostTokens = mostTokens
    }

    /// One vector of length 1 for each text, with zeros up to the dimension of all embeddings.
    func vectors(of texts: [TextBatches.Text]) -> [[Float]] {
        ids.removeAll(keepingCapacity: true)
        places.removeAll(keepingCapacity: true)
        starts.removeAll(keepingCapacity: true)
        starts.append(0)
        for text in texts {
            ids.append(contentsOf: text.tokens)
            places.append(contentsOf: 0..<UInt32(text.tokens.count))
            starts.append(UInt32(ids.count))
        }
        precondition(ids.count <= mostTokens, "a batch was larger than the workspace")
        let hidden = Int(weights.shape.hidden)
        // The workspace's states have room for the batch's tokens, its scratch for what the kernels asked for them.
        let numbers = unsafe states.start.bindMemory(to: Float.self, capacity: mostTokens * hidden)
        unsafe withUnsafePointer(to: weights.shape) { shape in
            unsafe knot_encoder_embed(
                weights.kernels,
                shape,
                weights.words.start,
                weights.positions.start,
                weights.kind.start,
                weights.norm.start,
                weights.normBias.start,
                ids,
                places,
                ids.count,
                numbers
            )
            unsafe knot_encoder_run(
                weights.kernels,
                shape,
                weights.precision,
                weights.packed.start,
                numbers,
                starts,
                texts.count,
                scratch.start
            )
        }
        return (0..<texts.count).map { text in
            let range = Int(starts[text]) * hidden..<Int(starts[text + 1]) * hidden
            // A text's rows are among the batch's.
            return unsafe pooled(
                UnsafeBufferPointer(rebasing: UnsafeBufferPointer(start: numbers, count: ids.count * hidden)[range])
            )
        }
    }

    /// The mean of a text's rows, or the first of them, made to have length 1.
    private func pooled(_ rows: UnsafeBufferPointer<Float>) -> [Float] {
        let hidden = Int(weights.shape.hidden)
        var vector = [Float](repeating: 0, count: Embedding.dimension)
        switch pooling {
        case .first:
            for place in 0..<hidden { vector[place] = unsafe rows[place] }
        case .mean:
            var row = 0
            while row < rows.count {
                for place in 0..<hidden { vector[place] += unsafe rows[row + place] }
                row += hidden
            }
        }
        // The mean's divisor goes with the length.
        var square = 0.0
        for value in vector { square += Double(value) * Double(value) }
        let factor = square > 0 ? 1 / square.squareRoot() : 0
        for place in 0..<hidden { vector[place] = Float(Double(vector[place]) * factor) }
        return vector
    }
}

/// Places to work that are free at the moment, so that a call finds its memory where the last one left it.
final class WorkspacePool: Sendable {
    private let free = Mutex<[EncoderWorkspace]>([])

    /// More are let go, should many calls have run at once.
    private static let most = 4

    func take() -> EncoderWorkspace? {
        free.withLock { $0.popLast() }
    }

    func put(_ workspace: EncoderWorkspace) {
        free.withLock { workspaces in
            if workspaces.count < Self.most { workspaces.append(workspace) }
        }
    }
}

/// Memory that begins at a cache line, or at a large page when there is much of it.
///
/// Safe to share: the address never changes and the memory is freed when nobody can see it any more. Its owner writes
/// only before others see it, or while nobody else has it.
@safe final class EncoderMemory: @unchecked Sendable {
    let count: Int
    let start: UnsafeMutableRawPointer
    /// What it lies in, when it is not its own; then it is only read.
    private let file: MappedFile?

    private static let largePage = 2 << 20

    /// Nil when there are not so many bytes left.
    init?(_ count: Int) {
        guard count >= 0, count <= Int.max / 2 else { return nil }
        let isLarge = count >= 2 * Self.largePage
        let alignment = isLarge ? Self.largePage : 64
        var memory: UnsafeMutableRawPointer?
        guard unsafe posix_memalign(&memory, alignment, max(count, alignment)) == 0, let memory = unsafe memory else {
            return nil
        }
        // Large pages are a wish: without them everything works, and slower.
        if isLarge { _ = unsafe madvise(memory, count, MADV_HUGEPAGE) }
        self.count = count
        unsafe start = memory
        file = nil
    }

    /// The beginning of a file, which is never written to.
    init(_ file: MappedFile, _ count: Int) {
        self.count = count
        self.file = file
        // A range with bytes has an address, and the file lasts as long as this does.
        guard let start = unsafe file.bytes(0..<count).baseAddress else { preconditionFailure("a file without bytes") }
        unsafe self.start = UnsafeMutableRawPointer(mutating: start)
    }

    deinit { if file == nil { unsafe free(start) } }

    /// Whether something was read that is no longer in its file: what came of it must not be used.
    var isCut: Bool { file?.isCut ?? false }
}
