import Arguments
import Catalogue
import Composition
import Console
import Evaluation
import FileInput
import JSONDocument
import KnotDomain
import PostgresClient
import VaultStore
import Verbs

extension Verb {
    static let catalogue = Verb(
        name: .catalogue,
        summary: "Import offers, or keep them in a searchable folder",
        actions: [
            VerbAction(
                "import",
                "Import offers into the database, for all vaults",
                "FILE ... [--source NAME] [--replace]",
                description: """
                    Invalid lines are listed and skipped. An offer is identified by its source and ID; if a file \
                    repeats one, the first line counts. If interrupted, run it again to continue. Runs never choose \
                    an offer whose `check` is `sold_out`, `closed` or `gone`. See `help catalogue` for the file \
                    format.
                    """,
                examples: [
                    "knot-recommend catalogue import offers.csv --source shop",
                    "knot-recommend catalogue import offers.csv --replace --dry-run",
                ],
                flags: [.source, .replace, .dryRun, .allowWeakTLS],
                without: [.model, .threads],
                texts: [.dryRun: "Show what would change, but store nothing"]
            ),
            VerbAction(
                "build",
                "Build a catalogue folder from files, replacing its contents",
                "FILE ... --catalogue DIR",
                description: """
                    If a line is invalid or there are no offers, the folder stays as it was. If an ID is repeated, \
                    the last line counts. Offers whose `check` is `sold_out`, `closed` or `gone` are left out. See \
                    `help catalogue` for the file format.
                    """,
                examples: [
                    "knot-recommend catalogue build offers.jsonl --catalogue offers",
                    "knot-recommend run --vault $VAULT --catalogue offers",
                ],
                flags: [.catalogue, .vectors],
                without: [.model],
                texts: [.catalogue: "Catalogue folder to build"]
            ),
            VerbAction(
                "add",
                "Add or update offers in a catalogue folder",
                "FILE ... --catalogue DIR",
                description: """
                    Invalid lines are listed and skipped. If an ID is repeated, the last line counts. Offers whose \
                    `check` is `sold_out`, `closed` or `gone` are removed. Runs can read the folder at the same time.
                    """,
                examples: ["knot-recommend catalogue add new.jsonl --catalogue offers"],
                flags: [.catalogue, .vectors],
                without: [.model],
                texts: [.catalogue: "Catalogue folder to change; created if missing"]
            ),
            VerbAction(
                "remove",
                "Remove offers from a catalogue folder",
                "ID ... --catalogue DIR",
                description: "Runs can read the folder at the same time.",
                examples: ["knot-recommend catalogue remove c07 c12 --catalogue offers"],
                flags: [.catalogue],
                without: [.model],
                texts: [.catalogue: "Catalogue folder to change"]
            ),
            VerbAction(
                "status",
                "Show what a catalogue folder holds",
                "--catalogue DIR",
                examples: ["knot-recommend catalogue status --catalogue offers"],
                flags: [.catalogue],
                without: [.model, .threads],
                texts: [.catalogue: "Catalogue folder to show"]
            ),
            VerbAction(
                "check",
                "Verify every byte of a catalogue folder",
                "--catalogue DIR",
                examples: ["knot-recommend catalogue check --catalogue offers"],
                flags: [.catalogue],
                without: [.model, .threads],
                texts: [.catalogue: "Catalogue folder to verify"]
            ),
            VerbAction(
                "search",
                "Search a catalogue folder for phrases",
                "PHRASE ... --catalogue DIR",
                description: """
                    Matches words, and also meaning if the folder has embeddings of the model in use (see `embed`).
                    """,
                examples: ["knot-recommend catalogue search \"star map\" \"oak clock\" --catalogue offers"],
                flags: [.catalogue, .limit],
                texts: [
                    .limit: "Number of offers to find",
                    .catalogue: "Catalogue folder to search",
                ]
            ),
        ],
        operand: Operand(
            kind: .path(orWords: CatalogueVerbOptions.actions),
            name: "ACTION FILE|ID|PHRASE",
            isRepeatable: true
        ),
        description: """
            A folder suits millions of offers; `run --catalogue DIR` searches it in place. A file has one JSON object \
            per line, as a fixture's `candidates`, or is CSV with a header. Required columns: \
            \(CandidateField.needed.joined(separator: ", ")). Optional columns (tags are separated by `|`): \
            \(CandidateField.optional.joined(separator: ", ")). The shipped pipelines use the providers yelp, \
            ticketmaster, amazon, shopify and firecrawl; a run names any others that it ignores.
            """,
        examples: [
            "knot-recommend catalogue import offers.csv --source shop",
            "knot-recommend catalogue build offers.jsonl --catalogue offers",
            "knot-recommend catalogue search \"star map\" --catalogue offers",
        ],
        texts: [
            .catalogue: "Catalogue folder",
            .dryRun: "Show what `import` would change, but store nothing",
            .replace: "Withdraw offers of the source that the files lack, unless a line is invalid",
            .limit: "Number of offers that `search` finds",
            .deadline: "Time limit for each step, such as `30s` or `2m`",
        ],
        exitCodes: keeping,
        perform: CatalogueVerb.perform
    )
}

/// `catalogue`: offers for everybody.
enum CatalogueVerb {
    static func perform(
        _ arguments: TypedArguments,
        _ context: CommandContext
    ) async throws(CommandError) -> ExitCode {
        let action = arguments.operands.first.flatMap(SnapshotActions.Action.init)
        if let action {
            return try SnapshotActions(action, arguments, context).report().finish(context)
        }
        let options = try CatalogueVerbOptions(arguments, context.settings)
        return try await CatalogueImporting(options, context).report().finish(context)
    }
}

/// `catalogue import`: files of any size, read and stored piece by piece.
struct CatalogueImporting {
    /// What is wrong with a file beyond these is only counted.
    private static let mostProblems = 100
    private static let batch = 2_000

    private let options: CatalogueVerbOptions
    private let context: CommandContext
    private let pool: ConnectionPool
    /// By source.
    private var imports: [String: CatalogueImport] = [:]
    private var failures: [CommandError] = []
    private var readCount = 0
    private var refusedCount = 0

    init(_ options: CatalogueVerbOptions, _ context: CommandContext) async throws(CommandError) {
        self.options = options
        self.context = context
        pool = try await CommandDatabase(context).open(PoolSettings(limit: 2))
    }

    /// Imports every file and says what became of the offers.
    consuming func report() async throws(CommandError) -> TextReport {
        for path in options.paths { try await add(path, to: try options.source(of: path)) }
        if options.replaces, failures.isEmpty { try await withdrawRest() }
        for failure in failures { try context.complain(failure) }
        var counts = CatalogueImport.Counts()
        for part in imports.values { counts += part.counts }
        let sources = TerminalText.safe(imports.keys.sorted().joined(separator: ", "), limit: 200)
        var parts = ["\(counts.added) added", "\(counts.changed) changed", "\(counts.unchanged) there already"]
        if refusedCount > 0 { parts.append("\(refusedCount) refused") }
        if options.replaces { parts.append("\(counts.withdrawn) withdrawn") }
        return TextReport(
            json: [
                "schema": "knot.catalogue-import/1", "files": .integer(options.paths.count),
                "sources": JSONValue(imports.keys.sorted()), "read": .integer(readCount),
                "added": .integer(counts.added), "changed": .integer(counts.changed),
                "unchanged": .integer(counts.unchanged), "refused": .integer(refusedCount),
                "withdrawn": .integer(counts.withdrawn), "dry_run": .bool(options.isDryRun),
                "failures": .array(failures.map(\.json)),
            ],
            lines: [
                "\(FigureText.plural(readCount, "offer", "offers")) of \(sources): \(parts.joined(separator: ", "))"
                    + (options.isDryRun ? " (dry run)" : "")
            ],
            exitCode: failures.first?.code ?? .done
        )
    }

    private mutating func add(_ path: String, to source: String) async throws(CommandError) {
        var part =
            imports[source]
            ?? CatalogueImport(
                pool,
                source: source,
                isDryRun: options.isDryRun,
                limit: options.shared.deadline ?? .seconds(60)
            )
        var problems: [CommandProblem] = []
        var refused = 0
        func refuse(_ found: [JSONProblem]) {
            refused += 1
            problems += found.prefix(Self.mostProblems - problems.count).map { CommandProblem(file: path, $0) }
        }
        let name = InputFile.name(of: path)
        let lines = try reporting { try CandidateLines(path: path) }
        var isOver = false
        while !isOver {
            var offers: [(offer: CatalogueOffer, place: String)] = []
            while offers.count < Self.batch {
                guard let entry = try reporting({ try lines.next() }) else {
                    isOver = true
                    break
                }
                readCount += 1
                if let offer = entry.offer { offers.append((offer, entry.place)) } else { refuse(entry.problems) }
            }
            do throws(PostgresError) {
                for place in try await part.add(offers.map(\.offer)) {
                    let id = offers[place].offer.candidate.id
                    refuse([JSONProblem(path: offers[place].place, message: "\"\(id)\" came before in this source")])
                }
            } catch {
                throw CommandError(amidWork: error)
            }
            context.progress("\(readCount) offers read, \(part.counts.added + part.counts.changed) stored")
        }
        imports[source] = part
        refusedCount += refused
        guard refused > 0 else { return }
        failures.append(
            CommandError(
                .badInput,
                refused == 1 ? "an offer cannot be used" : "\(refused) offers cannot be used",
                at: name,
                todo: options.replaces ? "correct the file; nothing was withdrawn" : "correct the file",
                problems: problems
            )
        )
    }

    private mutating func withdrawRest() async throws(CommandError) {
        for (source, found) in imports.sorted(by: { $0.key < $1.key }) {
            var part = found
            let counts = part.counts
            guard counts.added + counts.changed + counts.unchanged > 0 else {
                failures.append(
                    CommandError(
                        .badInput,
                        "there is no offer of the source \(source), so nothing was withdrawn",
                        at: FlagName.replace.typed,
                        todo: "give the file that has its offers"
                    )
                )
                continue
            }
            do throws(PostgresError) {
                try await part.withdrawRest { context.progress("\($0.withdrawn) offers withdrawn") }
            } catch {
                throw CommandError(amidWork: error)
            }
            imports[source] = part
        }
    }
}

/// What `catalogue` was asked to do.
struct CatalogueVerbOptions: Sendable, Equatable {
    static let importing = "import"
    static let actions = [importing] + SnapshotActions.Action.allCases.map(\.rawValue)

    let shared: SharedOptions
    let paths: [String]
    /// Of all files; nil: each has the name of its file.
    let source: String?
    let replaces: Bool
    let isDryRun: Bool

    init(_ arguments: TypedArguments, _ settings: Settings) throws(CommandError) {
        shared = SharedOptions(arguments, settings)
        guard let action = arguments.operands.first, action == Self.importing else {
            throw Self.unknown(arguments.operands.first)
        }
        paths = Array(arguments.operands.dropFirst())
        guard !paths.isEmpty else {
            throw .usage(.catalogue, "there is nothing to import", todo: "name files of offers")
        }
        source = arguments.text(.source)
        replaces = arguments.has(.replace)
        isDryRun = arguments.has(.dryRun)
        for path in paths { _ = try self.source(of: path) }
    }

    private static func unknown(_ action: String?) -> CommandError {
        guard let action else {
            return .usage(.catalogue, "there is nothing to do", todo: "catalogue \(actions.joined(separator: "|"))")
        }
        let guess = EditDistance.nearest(to: action, among: actions)
        return .usage(
            .catalogue,
            "there is no action \"\(action.prefix(60))\"",
            todo: guess.map { "did you mean \($0)?" } ?? "say one of \(actions.joined(separator: ", "))"
        )
    }

    /// The source of a file's offers: what was typed, else the file's name without its ending.
    func source(of path: String) throws(CommandError) -> String {
        let file = path.split(separator: "/").last ?? ""
        // At the last dot: what is cut earlier would give the files of two shops one source.
        let stem = file.lastIndex(of: ".").map { file[..<$0] } ?? file
        let name = source ?? (FileContents.isStandardInput(path) ? "" : String(stem))
        // A colon would leave open where the source ends in "source:id".
        guard (1...200).contains(name.unicodeScalars.count), !name.contains(":"),
            BoundaryText.clean(name, limit: 800) == name
        else {
            throw .usage(
                .catalogue,
                "\"\(name.prefix(60))\" is no name for a source",
                todo: "give --source NAME: one line of at most 200 characters without a colon"
            )
        }
        return name
    }
}
