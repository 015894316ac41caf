/// One result of libpq, copied out of its memory.
struct WireResult: Sendable {
    enum Kind: Sendable, Equatable {
        /// Rows, or a command's tag.
        case done
        case failed
        /// Not tried, since an earlier statement of the pipeline failed.
        case skipped
        /// The end of a pipeline.
        case sync
        /// COPY and other things that were not asked for.
        case unexpected
    }

    let kind: Kind
    var rows = Rows()
    var diagnosis = WireDiagnosis()
}
