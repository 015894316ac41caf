import Arguments
import Catalogue
import Composition
import Console
import Evaluation
import JSONDocument
import KnotDomain
import Recommendation
import TextEncoding
import VectorSearch
import Verbs

/// `catalogue build|add|remove|status|check|search`: a catalogue in a folder, which runs search in place.
package struct SnapshotActions {
    package enum Action: String, CaseIterable {
        case build, add, remove, status, check, search

        /// Whether something has to be named after it.
        var takesOperands: Bool { self != .status && self != .check }
        package var takesFiles: Bool { self == .build || self == .add }
    }

    /// Of a file no more problems are told than these; all are counted.
    private static let mostProblems = 100
    private static let batch = 4_096

    private let action: Action
    private let operands: [String]
    private let folder: String
    private let vectors: String?
    private let limit: Int
    private let shared: SharedOptions
    private let context: CommandContext

    init(
        _ action: Action,
        _ arguments: TypedArguments,
        _ context: CommandContext
    ) throws(CommandError) {
        self.action = action
        self.context = context
        operands = Array(arguments.operands.dropFirst())
        shared = SharedOptions(arguments, context.settings)
        vectors = arguments.text(.vectors)
        limit = arguments.text(.limit).flatMap { Int($0) } ?? 10
        guard let folder = context.settings.text(.catalogue) else {
            throw .usage(.catalogue, "there is no folder", todo: "name it with --catalogue FOLDER")
        }
        self.folder = folder
        guard operands.isEmpty != action.takesOperands else {
            throw .usage(
                .catalogue,
                operands.isEmpty ? "there is nothing to \(action.rawValue)" : "\(action.rawValue) takes nothing more",
                todo: "knot-recommend help catalogue shows how it is said"
            )
        }
        if action == .search, operands.contains(where: { $0.allSatisfy(\.isWhitespace) }) {
            throw .usage(.catalogue, "a phrase is blank", todo: "say what is searched for, such as 'star map'")
        }
    }

    func report() throws(CommandError) -> TextReport {
        switch action {
        case .build: try change(startsAnew: true)
        case .add: try change(startsAnew: false)
        case .remove: try remove()
        case .status: try status(verifies: false)
        case .check: try status(verifies: true)
        case .search: try search()
        }
    }

    // MARK: Changing

    private func change(startsAnew: Bool) throws(CommandError) -> TextReport {
        // What cannot be read is said before a folder is made for it.
        let files = try operands.map { path throws(CommandError) in try reporting { try CandidateLines(path: path) } }
        let known = try vectors.map { path throws(CommandError) in try reporting { try VectorsByID(path) } }
        let writer = try reporting {
            try CatalogueWriter(folder: folder, startsAnew: startsAnew, threads: shared.threads ?? MachineCores.count)
        }
        if let known { try reporting { try writer.ensureFit(known) } }
        var failures: [CommandError] = []
        var (read, refused, gone) = (0, 0, 0)
        for (path, lines) in zip(operands, files) {
            if let failure = try add(lines, of: path, to: writer, known, &read, &refused, &gone) {
                failures.append(failure)
            }
        }
        // An export that broke off must not take everything away.
        if startsAnew, read == 0 {
            failures.append(
                CommandError(
                    .badInput,
                    "there is no offer in it, so nothing was changed",
                    at: operands.map { InputFile.name(of: $0) }.joined(separator: ", "),
                    todo: "give the file that has the offers"
                )
            )
        }
        for failure in failures { try context.complain(failure) }
        let isRefused = startsAnew && !failures.isEmpty
        if !isRefused { try commit(writer) }
        let tally = isRefused ? CatalogueWriter.Tally() : writer.tally
        var parts = ["\(tally.added) added"]
        if tally.replaced > 0 { parts.append("\(tally.replaced) changed") }
        if tally.unchanged > 0 { parts.append("\(tally.unchanged) there already") }
        if gone > 0 { parts.append("\(gone) not to be had") }
        if refused > 0 { parts.append("\(refused) refused") }
        if let (all, used) = known?.counts { parts.append("\(used) of \(all) vectors used") }
        return TextReport(
            json: changed(
                tally,
                read: read,
                refused: refused,
                unavailable: gone,
                offers: isRefused ? nil : writer.count,
                vectors: known?.counts.used,
                failures: failures
            ),
            lines: isRefused
                ? ["nothing was changed"]
                : [
                    "\(FigureText.plural(read, "offer", "offers")): \(parts.joined(separator: ", ")); \(writer.count) in all"
                ],
            exitCode: failures.first?.code ?? .done
        )
    }

    /// Adds the offers of one file; returns what is wrong with it.
    private func add(
        _ lines: CandidateLines,
        of path: String,
        to writer: CatalogueWriter,
        _ known: VectorsByID?,
        _ read: inout Int,
        _ refusedInAll: inout Int,
        _ gone: inout Int
    ) throws(CommandError) -> CommandError? {
        var problems: [CommandProblem] = []
        var refused = 0
        var isOver = false
        while !isOver {
            var items: [CatalogueItem] = []
            while items.count < Self.batch {
                guard let entry = try reporting({ try lines.next() }) else {
                    isOver = true
                    break
                }
                read += 1
                guard let offer = entry.offer else {
                    refused += 1
                    problems += entry.problems.prefix(Self.mostProblems - problems.count)
                        .map { CommandProblem(file: path, $0) }
                    continue
                }
                guard let candidate = offer.available else {
                    // After what its file says before, which may be another thing of the same offer.
                    try reporting { try writer.add(items) }
                    items = []
                    try reporting { try writer.remove([offer.candidate.id]) }
                    gone += 1
                    continue
                }
                let vector = try reporting { try known?.vector(of: candidate.id) }
                items.append(CatalogueItem(candidate, vector: vector, isBlocked: offer.isBlocked))
            }
            try reporting { try writer.add(items) }
            context.progress("\(read) offers read")
        }
        refusedInAll += refused
        guard refused > 0 else { return nil }
        return CommandError(
            .badInput,
            refused == 1 ? "an offer cannot be used" : "\(refused) offers cannot be used",
            at: InputFile.name(of: path),
            todo: action == .build
                ? "correct the file; nothing was changed" : "correct the file; the others were added",
            problems: problems
        )
    }

    private func remove() throws(CommandError) -> TextReport {
        try ensureThere()
        let writer = try reporting {
            try CatalogueWriter(folder: folder, threads: shared.threads ?? MachineCores.count)
        }
        // As an offer's id is read; as much again for what cleaning drops.
        let ids = Set(operands.map { CandidateID(BoundaryText.clean($0, limit: 2 * TextLimit.identifier)) })
        try reporting { try writer.remove(ids) }
        try commit(writer)
        let missing = ids.count - writer.tally.removed
        let rest = missing > 0 ? ", \(missing) \(missing == 1 ? "was" : "were") not there" : ""
        return TextReport(
            json: changed(writer.tally, read: ids.count, missing: missing, offers: writer.count),
            lines: ["\(writer.tally.removed) removed\(rest); \(writer.count) in all"]
        )
    }

    /// What was changed is seen from the commit on; joining segments only makes later searches cheaper.
    private func commit(_ writer: CatalogueWriter) throws(CommandError) {
        try reporting { try writer.commit() }
        if let error = writer.mergeAll() { context.note("small segments were not joined: \(error)") }
    }

    private func changed(
        _ tally: CatalogueWriter.Tally,
        read: Int,
        missing: Int = 0,
        refused: Int = 0,
        unavailable: Int = 0,
        offers: Int?,
        vectors: Int? = nil,
        failures: [CommandError] = []
    ) -> JSONValue {
        [
            "schema": "knot.catalogue-change/1", "catalogue": .string(folder), "read": .integer(read),
            "added": .integer(tally.added), "changed": .integer(tally.replaced), "unchanged": .integer(tally.unchanged),
            "missing": .integer(missing), "unavailable": .integer(unavailable), "refused": .integer(refused),
            "removed": .integer(tally.removed),
            "vectors": JSONValue(vectors), "offers": JSONValue(offers),
            "failures": .array(failures.map(\.json)),
        ]
    }

    // MARK: Looking

    private func status(verifies: Bool) throws(CommandError) -> TextReport {
        let snapshot = try verifies ? verified() : reporting { try CatalogueSnapshot(folder: folder) }
        let model = snapshot.model.map { " of \(TerminalText.safe($0, limit: 120))" } ?? ""
        return TextReport(
            json: [
                "schema": "knot.catalogue-status/1", "catalogue": .string(folder), "offers": .integer(snapshot.count),
                "vectors": .integer(snapshot.vectorCount), "model": JSONValue(snapshot.model),
                "segments": .integer(snapshot.segmentCount), "gone": .integer(snapshot.goneCount),
                "mark": JSONValue(snapshot.mark), "verified": .bool(verifies || snapshot.wasTrusted),
            ],
            lines: [
                "\(FigureText.plural(snapshot.count, "offer", "offers")), \(snapshot.vectorCount) with a vector\(model)",
                "\(FigureText.plural(snapshot.segmentCount, "segment", "segments")), "
                    + "\(FigureText.plural(snapshot.goneCount, "offer", "offers")) in them gone",
                verifies ? "every byte is as it was written" : "catalogue check looks at every byte",
            ]
        )
    }

    /// What is there, after a look at every byte of it; that it is right is remembered where that can be written.
    private func verified() throws(CommandError) -> CatalogueSnapshot {
        try ensureThere()
        do throws(CatalogueError) {
            try CatalogueWriter(folder: folder).verify()
        } catch {
            guard [.notPermitted, .inUse, .unwritable].contains(error.code) else {
                throw CommandError(error, about: folder)
            }
            return try reporting { try CatalogueSnapshot(folder: folder, verifies: true) }
        }
        return try reporting { try CatalogueSnapshot(folder: folder) }
    }

    /// A writer makes a catalogue where there is none, which is not what a mistyped name is about.
    private func ensureThere() throws(CommandError) {
        guard !CatalogueSnapshot.isThere(in: folder) else { return }
        _ = try reporting { try CatalogueSnapshot(folder: folder) }
    }

    private func search() throws(CommandError) -> TextReport {
        let snapshot = try reporting { try CatalogueSnapshot(folder: folder) }
        var phrases = operands.map { CatalogueIndex.Phrase(text: $0, vector: nil) }
        if let encoder = try ModelSetup.encoder(shared, context), encoder.model == snapshot.model {
            let vectors = try reporting { try encoder.encode(operands) }
            phrases = zip(operands, vectors).map { CatalogueIndex.Phrase(text: $0, vector: $1) }
        }
        var query = SnapshotQuery(phrases)
        query.limit = limit
        query.depth = max(query.depth, limit)
        query.threads = shared.threads ?? MachineCores.count
        let answer = try reporting { try snapshot.search(query) }
        let offers = try reporting { try snapshot.offers(answer.hits) }
        return TextReport(
            json: [
                "schema": "knot.catalogue-search/1", "catalogue": .string(folder), "allowed": .integer(answer.allowed),
                "found": .integer(answer.found),
                "by_meaning": .bool(phrases.contains { $0.vector != nil }),
                "offers": .array(
                    offers.map { ["score": .number($0.hit.score), "candidate": $0.item.candidate.json] }
                ),
            ],
            lines: offers.isEmpty
                ? ["nothing was found among \(answer.allowed) offers"]
                : offers.map { offer in
                    let (candidate, score) = (offer.item.candidate, String(Int((offer.hit.score * 1_000).rounded())))
                    let shown = String(repeating: " ", count: max(0, 5 - score.count)) + score
                    return shown + "  " + TerminalText.safe("\(candidate.title) (\(candidate.id))", limit: 72)
                }
        )
    }
}
