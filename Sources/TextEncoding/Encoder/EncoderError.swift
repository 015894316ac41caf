/// Why a model cannot be used, with the file that is to blame.
package struct EncoderError: Error, Sendable, Equatable, CustomStringConvertible {
    package enum Code: String, Sendable {
        /// No model was named, and set-up has put none where it is looked for.
        case noModel
        /// The system would not open or map a file.
        case unreadable
        /// A file's bytes contradict each other or its format.
        case damaged
        /// A file, a tensor or a setting that is needed is not there.
        case incomplete
        /// The model is sound, and of a kind that is not encoded here.
        case unsupported
        case outOfMemory
    }

    package let code: Code
    /// The file, or the model's folder.
    package let path: String
    /// What is the matter, as the end of a sentence.
    package let detail: String

    init(_ code: Code, _ path: String, _ detail: String) {
        self.code = code
        self.path = path
        self.detail = detail
    }

    package var description: String {
        switch code {
        case .noModel: "No embedding model was found: \(detail)."
        case .unreadable: "\(path) cannot be read: \(detail)."
        case .damaged: "\(path) is damaged: \(detail)."
        case .incomplete: "\(path) lacks something that encoding needs: \(detail)."
        case .unsupported: "The model of \(path) is not encoded here: \(detail)."
        case .outOfMemory: "There is no memory left for the model of \(path): \(detail)."
        }
    }
}
