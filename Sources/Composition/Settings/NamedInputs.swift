import Catalogue
package import Console
import Evaluation
import Fixtures
import KnotDomain

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
        switch FileStatus(path: path)?.kind {
        case .folder:
            let names = try reporting { try FixtureLoader.files(in: path) }
            return "\(path), with \(FigureText.plural(names.count, "file", "files")) by the vaults' names"
        case .other:
            // A pipe gives what it has once, to the run that is to read it.
            return "\(path), a pipe"
        case .regular, nil:
            let bytes = try InputFile.read(path)
            let reading = try reporting {
                try FixtureLoader.document(bytes, path) { VaultReading(reading: $0, knownHints: nil) }
            }
            return "\(path), with readings of \(FigureText.plural(reading.hints.count, "hint", "hints"))"
        }
    }
}
