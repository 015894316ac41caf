import StageGraph

/// Pipelines by name or path: the shipped ones, and files on disk.
struct PipelineFiles: DefinitionSource {
    let shipped: any DefinitionSource

    func definition(
        _ reference: String,
        extendedBy file: String?
    ) throws(DefinitionSourceError) -> DefinitionFile {
        // What a file extends lies on disk or is shipped.
        guard case .file(let path) = PipelineReference(reference), file == nil || path != "-" else {
            return try shipped.definition(reference, extendedBy: file)
        }
        let place = Self.located(path, beside: file)
        do throws(CommandError) {
            return DefinitionFile(name: InputFile.name(of: place), bytes: try InputFile.read(place))
        } catch {
            let code: DefinitionSourceError.Code =
                switch error.code {
                case .notFound: .missingFile
                case .notPermitted: .notPermitted
                case .badInput: .tooLarge
                default: .unreadable
                }
            throw DefinitionSourceError(code, "\(error.what) (\(InputFile.name(of: place)))")
        }
    }

    /// A relative path is meant from the file that names it; a shipped pipeline has no place on disk.
    private static func located(_ path: String, beside file: String?) -> String {
        guard let file, !path.hasPrefix("/"), case .file = PipelineReference(file), let slash = file.lastIndex(of: "/")
        else { return path }
        return String(file[...slash]) + path
    }
}
