/// What is wrong with a file of embeddings, and where.
package struct EmbeddingFileError: Error, Sendable, Equatable, CustomStringConvertible {
    package enum Code: String, Sendable {
        /// The system would not open, map or list the file.
        case unreadable
        /// The system would not write the file; the old one, if any, is as it was.
        case unwritable
        /// The file does not begin as files of embeddings do.
        case foreign
        /// The file was written by a later version of this format.
        case newer
        /// The file ends too early, or goes on after its end.
        case cut
        /// Bytes differ from those that were written.
        case damaged
        /// The bytes are those that were written, and they contradict each other.
        case senseless
    }

    package let code: Code
    package let path: String
    /// The part of the file and what is the matter with it.
    package let detail: String

    init(_ code: Code, _ path: String, _ detail: String) {
        self.code = code
        self.path = path
        self.detail = detail
    }

    package var description: String {
        switch code {
        case .unreadable: "The embeddings in \(path) cannot be read: \(detail)."
        case .unwritable: "The embeddings cannot be written to \(path): \(detail)."
        case .foreign, .newer: "\(path) is not a file of embeddings that can be read here: \(detail)."
        case .cut, .damaged, .senseless: "The embeddings in \(path) are damaged: \(detail)."
        }
    }
}
