package import Catalogue
package import ChoiceService
import Console
package import PostgresClient
import VaultStore

/// The copy of everybody's offers that a command searches where there are too many for its memory: in the cache folder, made
/// by the first command that needs it, and brought up to date by each.
package enum SharedCopy {
    /// Without a deadline, making the first copy may take this long.
    private static let mostTime = Duration.seconds(24 * 3_600)

    /// Nil where there is none, which is said with its reason: the database searches then.
    package static func copy(
        of pool: ConnectionPool,
        model: String?,
        forMany: Bool,
        _ budget: TimeBudget,
        _ notes: NotesOnce,
        _ context: CommandContext
    ) async -> CatalogueSnapshot? {
        guard let cache = ModelSetup.cacheFolder(context.environment) else {
            notes.note("the database searches everybody's offers: without KNOT_CACHE and HOME there is no copy of them")
            return nil
        }
        do {
            let copy = try await CatalogueCopy(
                of: pool,
                model: model,
                in: cache + "/catalogues",
                threads: MachineCores.count
            )
            try PrivateFolder.make(for: copy.folder + "/copy")
            if !copy.isThere {
                notes.note("everybody's offers are copied once to \(copy.folder), to be searched there")
            }
            // Some of the time is left for a run that the database searches for.
            let snapshot = try await copy.refreshed(until: .now + budget.limit(mostTime) / 2) {
                context.progress("\($0) offers copied")
            }
            snapshot.readAhead(forMany: forMany) { context.progress("reading \(copy.folder)") }
            return snapshot
        } catch {
            notes.note("there is no copy of everybody's offers, so the database searches them: \(reason(error))")
            return nil
        }
    }

    private static func reason(_ error: any Error) -> String {
        switch error {
        case CatalogueCopy.Failure.database(let error): CommandError(error).what
        case CatalogueCopy.Failure.folder(let error): error.description
        case CatalogueCopy.Failure.late: "it could not be made in time; without --deadline it is"
        case let error as CommandError: "\(error.what) (\(error.place))"
        default: "\(error)"
        }
    }
}
