import TextEncoding

extension CommandError {
    /// A model that cannot be used.
    init(_ error: EncoderError) {
        let code: ExitCode =
            switch error.code {
            case .noModel, .unreadable: .notFound
            case .damaged, .incomplete, .unsupported: .badInput
            case .outOfMemory: .unavailable
            }
        self.init(
            code,
            String(error.description.dropLast()),
            at: "--model",
            todo: "make setup gets the default model; --model none goes by words only"
        )
    }
}
