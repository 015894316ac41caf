import Catalogue
package import Console
import Evaluation

/// What runs read besides their vaults where the settings name it, opened as a run opens it.
package enum NamedInputs {
    /// What a path names: a folder holds a catalogue on the disk.
    static func open(_ path: String) throws(CommandError) -> NamedCatalogue {
        guard FileStatus(path: path)?.kind == .folder else { return .file(try CatalogueEmbedding.file(path)) }
        return .folder(try reporting { try CatalogueSnapshot(folder: path) })
    }

    /// How many offers a run would search in a catalogue.
    package static func catalogue(_ path: String) throws(CommandError) -> String {
        let count =
            switch try open(path) {
            case .file(let file): file.candidates.count
            case .folder(let snapshot): snapshot.count
            }
        return "\(path), with \(FigureText.plural(count, "offer", "offers"))"
    }

    /// Readings as far as they can be read without a vault: which hints they are of, only a run knows.
    package static func readings(_ path: String) throws(CommandError) -> String {
        guard FileStatus(path: path)?.kind != .folder else { return "\(path), by the vaults' names" }
        let bytes = try InputFile.read(path)
        _ = try reporting { try FixtureLoader.document(bytes, path) { $0 } }
        return path
    }
}
