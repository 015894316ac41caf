import Arguments
import ChoiceService
import Composition
import Console
import JSONDocument
import KnotDomain
import Learning
import PostgresClient
import VaultStore

extension VerbName {
    static let feedback = VerbName("feedback")
}

extension Verb {
    static let feedback = Verb(
        name: .feedback,
        summary: "notes what became of a choice",
        synopsis: "--run ID --position N",
        operand: Operand(kind: .choice(FeedbackVerbOptions.words), name: "WORD", isRepeatable: false),
        description: """
            Keeps what a person says of one of the three choices of a stored run: liked, disliked, given, returned \
            or already-has. learn reads it, and the next run leaves out what was disliked, returned or there \
            already, with what comes from the same shop. Saying the same again changes nothing; with --request the \
            request is what counts, and another word under it is refused.
            """,
        examples: [
            Example(
                purpose: "the second was a success",
                command: "knot-recommend feedback given --run 3b0d6c1e-77a1-8e52-9b1c-0a9f4be1c2d3 --position 2"
            ),
            Example(
                purpose: "the first is at home already",
                command:
                    "knot-recommend feedback already-has --run 3b0d6c1e-77a1-8e52-9b1c-0a9f4be1c2d3 --position 1"
            ),
        ],
        flags: [
            .position, .run, .asOf, .request, .asUser, .allowWeakTLS,
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
