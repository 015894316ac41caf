import StageGraph

/// The one definition a recording carries, whatever name is asked for.
struct RecordedPlan: DefinitionSource {
    let bytes: [UInt8]

    func definition(
        _ reference: String,
        extendedBy file: String?
    ) throws(DefinitionSourceError) -> DefinitionFile {
        DefinitionFile(name: reference, bytes: bytes)
    }
}
