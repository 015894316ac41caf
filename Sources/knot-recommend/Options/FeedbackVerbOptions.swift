import KnotDomain
import VaultStore

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
