import Arguments
import Composition
import Console
import FileInput
import Fixtures
import JSONDocument
import PostgresClient
import Synchronization
import VaultStore
import Verbs

extension Verb {
    static let importVaults = Verb(
        name: .importVaults,
        summary: "Import fixtures: vaults with their history and offers",
        uses: ["FILE|DIR ... [--replace] [options]"],
        operand: Operand(kind: .path(orWords: []), name: "FILE|DIR", isRepeatable: true),
        description: """
            Each file is imported in one transaction; an invalid one is listed and doesn't stop the others. Importing \
            the same file again changes nothing. If a vault with the same ID has other contents, the file is refused \
            unless you give `--replace`.
            """,
        examples: [
            "knot-recommend import fixtures/vaults",
            "knot-recommend import vault.json --replace",
        ],
        flags: [.replace, .allowWeakTLS],
        texts: [.deadline: "Time limit for each file, such as `30s` or `2m`"],
        exitCodes: keeping,
        perform: ImportVerb.perform
    )
}

/// `import`: brings fixtures into the database, one transaction for each.
enum ImportVerb {
    private static let lanes = 4

    static func perform(
        _ arguments: TypedArguments,
        _ context: CommandContext
    ) async throws(CommandError) -> ExitCode {
        try await report(try ImportVerbOptions(arguments, context.settings), context).finish(context)
    }

    private static func report(
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
        let pool = try await CommandDatabase(context).open(PoolSettings(limit: lanes))
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

/// What `import` was asked to bring in.
struct ImportVerbOptions: Sendable, Equatable {
    let shared: SharedOptions
    /// Files and folders; at least one.
    let paths: [String]
    let replaces: Bool

    init(_ arguments: TypedArguments, _ settings: Settings) throws(CommandError) {
        shared = SharedOptions(arguments, settings)
        paths = arguments.operands
        replaces = arguments.has(.replace)
        guard !paths.isEmpty else {
            throw .usage(.importVaults, "there is nothing to import", todo: "name fixture files or folders of them")
        }
    }
}

/// Files read one after another as somebody asks for them; those that cannot be read are noted.
///
/// With each comes what lies beside it, as for a run of the file itself: its readings, and the folder's rates.
final class FileQueue: Sendable {
    private struct State {
        var paths: ArraySlice<String>
        var failures: [CommandError] = []
    }

    private let state: Mutex<State>

    init(_ paths: [String]) {
        state = Mutex(State(paths: paths[...]))
    }

    var failures: [CommandError] { state.withLock { $0.failures } }

    private static func name(of path: String) -> String {
        path.split(separator: "/").last.map(String.init) ?? path
    }

    /// Nil where there is nothing of that name in the file's folder.
    private static func beside(_ name: String, _ path: String) throws(CommandError) -> [UInt8]? {
        let other = path.dropLast(Self.name(of: path).count) + name
        guard other != path, !FileContents.isStandardInput(path), FileStatus(path: String(other))?.kind == .regular
        else { return nil }
        return try InputFile.read(String(other))
    }

    /// Throws where a file holds offers for everybody and no vault.
    private static func refuseOffers(_ bytes: [UInt8], _ path: String) throws(CommandError) {
        func isOffer() -> Bool {
            do throws(JSONSyntaxError) {
                let line = try JSONParser.parse(Array(bytes.prefix { $0 != UInt8(ascii: "\n") }))
                return line["vault"] == nil && line["provider"] != nil && line["title"] != nil
            } catch {
                return false
            }
        }
        guard path.lowercased().hasSuffix(".csv") || isOffer() else { return }
        throw CommandError(
            .badInput,
            "these are offers, and not a vault",
            at: InputFile.name(of: path),
            todo: "offers for everybody come in by knot-recommend catalogue import"
        )
    }

    /// The next file that can be read; nil at the end.
    func next() -> ImportSource? {
        while let path = state.withLock({ $0.paths.popFirst() }) {
            do throws(CommandError) {
                let bytes = try InputFile.read(path)
                try Self.refuseOffers(bytes, path)
                return ImportSource(
                    name: InputFile.name(of: path),
                    bytes: bytes,
                    readings: try Self.beside("readings/\(Self.name(of: path))", path),
                    rates: try Self.beside("rates.json", path)
                )
            } catch {
                state.withLock { $0.failures.append(error) }
            }
        }
        return nil
    }
}
