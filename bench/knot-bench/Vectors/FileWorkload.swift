import FoundationEssentials
import VectorSearch

/// A matrix in a file: opening it mapped, the first search, which verifies what it reads, and the ones after that.
struct FileWorkload {
    let corpus: VectorCorpus
    let options: VectorOptions

    /// The file is in the system's cache, as it is right after it was written.
    func race() throws -> Race? {
        guard let choice = options.choices.first else { return nil }
        let path = "\(options.folder)/rows.vectors"
        try FileManager.default.createDirectory(atPath: options.folder, withIntermediateDirectories: true)
        let rows = corpus.count
        let memory = try corpus.index(choice, rows: rows)
        try memory.write(to: path)
        let call = SearchCall(queries: 1, rows: rows)
        let opened = try open(path, choice)
        let bytes = Double(rows * (choice.usesCodes ? SearchCall.codeBytes : SearchCall.rowBytes))
        let search = Work(bytes: bytes, operations: 0, arithmetic: nil)
        // Opening reads what is not rows: a length of eight bytes for each, and the ids.
        let opening = Work(bytes: Double(rows * 16), operations: 0, arithmetic: nil)
        let whole = Work(
            bytes: Double(rows * (SearchCall.codeBytes + SearchCall.rowBytes)),
            operations: 0,
            arithmetic: nil
        )
        let corpus = corpus
        return Race(
            workload: "file",
            queries: 1,
            rows: rows,
            contenders: [
                contender("open", choice, opening) { _ = try open(path, choice) },
                contender("open and search, verifying", choice, whole) {
                    _ = try corpus.search(try open(path, choice), call)
                },
                contender("search in memory", choice, search) { _ = try corpus.search(memory, call) },
                contender("search in the file, verified", choice, search, reference: "search in memory") {
                    _ = try corpus.search(opened, call)
                },
            ]
        )
    }

    private func open(_ path: String, _ choice: KernelChoice) throws -> ExactIndex {
        try ExactIndex(try EmbeddingMatrix(contentsOf: path), kernels: choice.kernels, usesCodes: choice.usesCodes)
    }

    private func contender(
        _ name: String,
        _ choice: KernelChoice,
        _ work: Work,
        reference: String? = nil,
        run: @escaping () throws -> Void
    ) -> Contender {
        Contender(
            name: name,
            kernel: choice.name,
            path: "file",
            threads: 1,
            work: work,
            reference: reference,
            run: run
        )
    }
}
