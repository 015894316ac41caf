import Evaluation
import FileInput
import JSONDocument
import VaultStore

/// `import`: brings fixtures into the database, one transaction for each.
enum ImportDesk {
    private static let lanes = 4

    static func report(
        _ options: ImportVerbOptions,
        _ context: CommandContext
    ) async throws(CommandError) -> TextReport {
        let (files, missing) = found(options.paths)
        if files.isEmpty {
            if missing.count > 1 { for error in missing.dropLast() { try context.complain(error) } }
            guard let last = missing.last else {
                let place = options.paths.joined(separator: ", ")
                throw CommandError(.notFound, "there is no .json file", at: place, todo: "name a folder of fixtures")
            }
            throw last
        }
        let pool = try await DatabaseDesk(context).open(connections: lanes)
        let reading = FileQueue(files)
        let summary = await VaultImporter(pool).addAll(
            lanes: lanes,
            replaces: options.replaces,
            limit: options.shared.deadline ?? .seconds(60),
            next: { reading.next() },
            progress: { context.progress("\($0.done) of \(files.count) vaults imported") }
        )
        if let error = summary.stoppedBy { throw CommandError(error, input: "the import") }
        let failures = missing + reading.failures + summary.failures.map { CommandError($0.error, input: $0.name) }
        let failed = missing.count + reading.failures.count + summary.progress.failed
        if files.count == 1, failures.count == 1, missing.isEmpty, let only = failures.first { throw only }
        for failure in failures { try context.complain(failure) }
        let progress = summary.progress
        var parts = ["\(progress.added) added"]
        if progress.replaced > 0 { parts.append("\(progress.replaced) replaced") }
        parts.append("\(progress.unchanged) there already")
        if failed > 0 { parts.append("\(failed) refused") }
        return TextReport(
            json: [
                "schema": "knot.import/1", "files": .integer(files.count + missing.count),
                "added": .integer(progress.added),
                "replaced": .integer(progress.replaced), "unchanged": .integer(progress.unchanged),
                "failed": .integer(failed), "failures": .array(failures.map(\.json)),
            ],
            lines: ["\(files.count + missing.count) vaults: \(parts.joined(separator: ", "))"],
            exitCode: failed == 0 ? .done : failures.first?.code ?? .badInput
        )
    }

    /// The files named and those of the folders named, in order, and what is wrong with the others.
    private static func found(_ paths: [String]) -> (files: [String], missing: [CommandError]) {
        var files: [String] = []
        var missing: [CommandError] = []
        for path in paths {
            let kind = FileStatus(path: path)?.kind
            guard kind == .folder else {
                if kind == nil, !FileContents.isStandardInput(path), let fault = fault(of: path) {
                    missing.append(fault)
                } else {
                    files.append(path)
                }
                continue
            }
            let folder = path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
            do throws(FixtureError) {
                let found = try FixtureLoader.files(in: folder)
                files += found
                if found.isEmpty {
                    let todo = "name a folder of fixtures"
                    missing.append(CommandError(.notFound, "there is no .json file", at: path, todo: todo))
                }
            } catch {
                missing.append(CommandError(error))
            }
        }
        return (files, missing)
    }

    /// Why a file that cannot be seen cannot be read either: it is missing, or closed to who asks.
    private static func fault(of path: String) -> CommandError? {
        do throws(CommandError) {
            _ = try InputFile.read(path)
            return nil
        } catch {
            return error
        }
    }
}
