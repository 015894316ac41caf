extension EmbeddingMatrix {
    /// Opens a file of embeddings in place; its rows are verified at their first use.
    ///
    /// A model other than `model` is refused.
    package init(contentsOf path: String, model: String? = nil) throws(VectorSearchError) {
        let file: EmbeddingFile
        do throws(EmbeddingFileError) {
            file = try EmbeddingFile(path: path)
        } catch {
            throw .file(error)
        }
        if let model, model != file.layout.model { throw .mixedModels(model, file.layout.model) }
        try self.init(file: file)
    }

    /// Verifies everything that has not been verified yet; rows in memory always are.
    package func verify(threads: Int = 1) throws(VectorSearchError) {
        try file?.verify(threads: threads)
    }

    /// Replaces the file at `path` by one with these rows, without byte codes.
    package func write(to path: String) throws(VectorSearchError) {
        try ExactIndex(self, usesCodes: false).write(to: path)
    }
}
