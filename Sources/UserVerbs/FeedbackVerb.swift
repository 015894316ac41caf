import Arguments
import ChoiceService
import Composition
import Console
import JSONDocument
import KnotDomain
import Learning
import PostgresClient
import VaultStore
import Verbs

extension Verb {
    static let feedback = Verb(
        name: .feedback,
        summary: "Record what became of one of the three choices of a stored run",
        uses: ["WORD --run ID --position N [options]"],
        operand: Operand(kind: .choice(FeedbackVerbOptions.words), name: "WORD", isRepeatable: false),
        description: """
            WORD is `liked`, `disliked`, `given`, `returned` or `already-has`. Later runs avoid what was disliked, \
            returned or already there, and other offers from the same shop. `learn` turns feedback into taste \
            weights. Repeating the last feedback has no effect.
            """,
        examples: [
            "knot-recommend feedback given --run $RUN --position 2",
            "knot-recommend feedback already-has --run $RUN --position 1",
        ],
        flags: [.position, .run, .asOf, .request, .asUser, .allowWeakTLS],
        texts: [
            .request: "Name of this request; a different word with the same name is refused",
            .asOf: "Time of the feedback, such as `2026-03-01T09:00:00Z`",
        ],
        exitCodes: keeping,
        perform: FeedbackVerb.perform
    )
}

/// `feedback`: what became of a choice.
enum FeedbackVerb {
    static func perform(
        _ arguments: TypedArguments,
        _ context: CommandContext
    ) async throws(CommandError) -> ExitCode {
        let options = try FeedbackVerbOptions(arguments, context.settings)
        let call = try await DatabaseCall(
            "run \(options.run), position \(options.position)",
            asUser: options.asUser,
            options.shared,
            context
        )
        let receipt = try await call.asked {
            () async throws(VaultStoreError) in
            try await FeedbackStore(call.pool).give(
                options.word,
                run: options.run,
                position: options.position,
                request: options.request,
                at: options.asOf ?? MachineClock().now(),
                until: call.deadline
            )
        }
        let title = TerminalText.safe(receipt.title, limit: 100)
        let feedback = options.word.feedback
        let report = TextReport(
            json: [
                "schema": "knot.feedback/1", "feedback_id": .string(receipt.id.description),
                "vault_id": .string(receipt.vault.description), "run_id": .string(options.run.description),
                "position": .integer(options.position), "title": .string(receipt.title),
                "feedback": .string(options.word.rawValue), "action": .string(feedback.action.rawValue),
                "rating": JSONValue(feedback.rating), "new": .bool(receipt.isNew),
            ],
            lines: [
                receipt.isNew
                    ? "noted: \(options.word.rawValue), \(title)" : "noted before: \(options.word.rawValue), \(title)",
                "knot-recommend learn --vault \(receipt.vault) learns from it",
            ]
        )
        return try report.finish(context)
    }
}

/// What `feedback` was told, and of which choice.
struct FeedbackVerbOptions: Sendable, Equatable {
    static let words = ChoiceFeedback.allCases.map(\.rawValue)

    let shared: SharedOptions
    let word: ChoiceFeedback
    let run: PostgresUUID
    let position: Int
    /// Nil: the word itself is the request.
    let request: String?
    let asUser: String?
    let asOf: Instant?

    init(_ arguments: TypedArguments, _ settings: Settings) throws(CommandError) {
        shared = SharedOptions(arguments, settings)
        guard let word = arguments.operands.first.flatMap(ChoiceFeedback.init(rawValue:)) else {
            throw .usage(
                .feedback,
                "there is nothing to note",
                todo: "say one of \(Self.words.joined(separator: ", "))"
            )
        }
        self.word = word
        guard let text = arguments.text(.run) else { throw .missing(.run, .feedback) }
        guard let run = PostgresUUID(text) else { throw .noRun(text) }
        self.run = run
        guard let position = arguments.text(.position).flatMap({ Int($0) }) else {
            throw .missing(.position, .feedback)
        }
        self.position = position
        request = arguments.text(.request)
        asUser = arguments.text(.asUser)
        asOf = arguments.text(.asOf).flatMap { Instant(iso8601: $0) }
    }
}
