import Recommendation
import TextEncoding
import VaultStore

/// What a search of the catalogue goes by is told once for a command, never for each vault.
extension VaultDesk {
    /// Takes everybody's items into memory before the first vault that they are searched for.
    ///
    /// Where that fails, each search asks the database and tells of what is wrong with it.
    func shareCatalogue() async {
        do throws(PostgresError) {
            let found = try await shared.read()
            guard let embedder else { return told.note(Self.onlyWords) }
            guard found.vectorCount < found.count else { return }
            told.note(
                "\(found.count - found.vectorCount) of \(found.count) items for everybody in the catalogue have no vector "
                    + "of \(embedder.model), so they are found by their words alone; knot-recommend embed --all makes them"
            )
        } catch {
            return
        }
    }

    /// The file with its items' vectors; of what has none it is told.
    static func searchable(
        _ file: CatalogueFile,
        at path: String,
        _ encoder: Encoder?,
        _ context: CommandContext
    ) throws(CommandError) -> CatalogueFile {
        guard let encoder else {
            context.note(onlyWords)
            return file
        }
        let found = try CatalogueDesk.embed(file, at: path, encoder, atMost: CatalogueDesk.mostOnTheWay, context)
        if found.left > 0 {
            context.note(
                "\(found.left) of \(file.candidates.count) items of \(path) have no vector of \(encoder.model), so they are "
                    + "found by their words alone; knot-recommend embed --catalogue \(path) makes them"
            )
        }
        return found.file
    }

    private static let onlyWords = "there is no embedding model, so the catalogue is searched by words alone"
}
