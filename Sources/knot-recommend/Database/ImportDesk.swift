import Evaluation
import JSONDocument
import VaultStore

/// `import`: brings fixtures into the database, one transaction for each.
enum ImportDesk {
    private static let lanes = 4

    static func report(
        _ options: ImportVerbOptions,
        _ context: CommandContext
    ) async throws(CommandError) -> TextReport {
        let files = try files(options.paths)
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
        let failures = reading.failures + summary.failures.map { CommandError($0.error, input: $0.name) }
        let failed = reading.failures.count + summary.progress.failed
        if files.count == 1, let only = failures.first { throw only }
        for failure in failures { try context.complain(failure) }
        let progress = summary.progress
        var parts = ["\(progress.added) added"]
        if progress.replaced > 0 { parts.append("\(progress.replaced) replaced") }
        parts.append("\(progress.unchanged) there already")
        if failed > 0 { parts.append("\(failed) refused") }
        return TextReport(
            json: [
                "schema": "knot.import/1", "files": .integer(files.count), "added": .integer(progress.added),
                "replaced": .integer(progress.replaced), "unchanged": .integer(progress.unchanged),
                "failed": .integer(failed), "failures": .array(failures.map(\.json)),
            ],
            lines: ["\(files.count) vaults: \(parts.joined(separator: ", "))"],
            exitCode: failed == 0 ? .done : failures.first?.code ?? .badInput
        )
    }

    /// The files named, and those of the folders named, in order.
    private static func files(_ paths: [String]) throws(CommandError) -> [String] {
        var files: [String] = []
        for path in paths {
            guard let status = FileStatus(path: path) else {
                throw CommandError(.notFound, "no such file or folder", at: path, todo: "check the path")
            }
            guard status.kind == .folder else {
                files.append(path)
                continue
            }
            do throws(FixtureError) {
                files += try FixtureLoader.files(in: path.hasSuffix("/") ? String(path.dropLast()) : path)
            } catch {
                throw CommandError(error)
            }
        }
        guard !files.isEmpty else {
            let place = paths.joined(separator: ", ")
            throw CommandError(.notFound, "there is no .json file", at: place, todo: "name a folder of fixtures")
        }
        return files
    }
}
