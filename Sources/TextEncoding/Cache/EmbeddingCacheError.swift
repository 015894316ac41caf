/// Why a file of cached embeddings cannot be used.
package struct EmbeddingCacheError: Error, Sendable, Equatable, CustomStringConvertible {
    package enum Code: String, Sendable {
        /// The system would not open, lock or map the file.
        case unreadable
        /// The system would not write; whatever was complete before is as it was.
        case unwritable
        /// The file does not begin as files of cached embeddings do.
        case foreign
        /// The file was written by a later version of this format.
        case newer
        /// The file is for embeddings of another length.
        case otherDimension
        /// The file's header is not as it was written.
        case damaged
        /// Another process, or another part of this one, writes to the file.
        case inUse
        /// The file was opened for reading alone.
        case readOnly
    }

    package let code: Code
    package let path: String
    /// What is the matter.
    package let detail: String

    init(_ code: Code, _ path: String, _ detail: String) {
        self.code = code
        self.path = path
        self.detail = detail
    }

    package var description: String {
        switch code {
        case .unreadable: "The cached embeddings in \(path) cannot be read: \(detail)."
        case .unwritable, .readOnly: "No embedding can be added to the cache \(path): \(detail)."
        case .foreign, .newer, .otherDimension:
            "\(path) is not a file of cached embeddings that can be used here: \(detail)."
        case .damaged: "The cached embeddings in \(path) are damaged: \(detail)."
        case .inUse: "The cache \(path) is being written by somebody else: \(detail)."
        }
    }
}
