/// Where pipeline files come from: shipped names and files on disk, or texts in a test.
package protocol DefinitionSource: Sendable {
    /// Finds a definition by shipped name or path; a relative path is meant from the file that names it.
    func definition(
        _ reference: String,
        extendedBy file: String?
    ) throws(DefinitionSourceError) -> DefinitionFile
}
