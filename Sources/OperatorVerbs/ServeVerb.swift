import Arguments
import Composition
import Console
import FileInput
import HTTPClient
import JSONDocument
import KnotDomain
import LiveProviders
import Operations
import Recommendation
import ReminderStore
import Verbs

extension Verb {
    static let serve = Verb(
        name: .serve,
        summary: "Serve a live, read-only web page about the queue, for operators",
        uses: ["[--listen ADDRESS] [options]"],
        description: """
            Shows due reminders, workers, failures with the command that fixes each, quotas and the newest sets. \
            Without `--listen`, listens on port 7464 of this machine. An address that others can reach needs a token: \
            KNOT_SERVE_TOKEN, or a file named by KNOT_SERVE_TOKEN_FILE. Enter it in the browser as the password, with \
            any user name. There is no TLS, so put a proxy in front of it.
            """,
        examples: [
            "knot-recommend serve # http://127.0.0.1:7464/, until Ctrl-C",
            "knot-recommend serve --listen 8080",
        ],
        flags: [.listen, .allowWeakTLS],
        texts: [.listen: "Address of the page, such as `0.0.0.0:7464`, or a local port"],
        exitCodes: keeping,
        perform: ServeVerb.perform
    )
}

/// What `serve` was asked.
struct ServeVerbOptions: Sendable, Equatable {
    let address: ListenAddress

    init(_ arguments: TypedArguments) throws(CommandError) {
        address = try ListenAddress.asked(arguments) ?? .operators
    }
}

extension ListenAddress {
    /// Where the page is when nothing else is said.
    fileprivate static let operators = ListenAddress.loopback.at(port: 7_464)
}

/// Who may see the page from other machines.
package enum OperationsToken {
    static let variable = "KNOT_SERVE_TOKEN"
    /// Both variables that give it.
    package static let environment = [variable, variable + "_FILE"]
    /// A token that is tried out is found, if it is short.
    private static let fewestBytes = 16

    /// Nil where none is set.
    static func read(_ environment: Environment) throws(CommandError) -> Secret? {
        let token: Secret?
        do throws(Secret.Unreadable) {
            token = try Secret.named(variable) { environment[$0] }
        } catch {
            throw CommandError(.configuration, "the token cannot be read", at: error.variable, todo: error.reason)
        }
        if let token, token.exposed.utf8.count < fewestBytes {
            throw CommandError(
                .configuration,
                "the token has fewer than \(fewestBytes) bytes",
                at: variable,
                todo: "take a longer one: openssl rand -hex 24"
            )
        }
        return token
    }
}

/// `serve`: the operators' page.
enum ServeVerb {
    static func perform(_ arguments: TypedArguments, _ context: CommandContext) async throws(CommandError) -> ExitCode {
        let options = try ServeVerbOptions(arguments)
        let token = try OperationsToken.read(context.environment)
        guard token != nil || options.address.isLoopback else {
            throw CommandError(
                .configuration,
                "others could see the page without a token",
                at: OperationsToken.variable,
                todo: "set it, or listen on this machine only"
            )
        }
        let pool = try await CommandDatabase(context).open()
        let page = OperationsPage(token.map { .whoever(has: $0.exposed) } ?? .anybody)
        let server = try OperationsServer.listening(at: options.address) { page.answer($0) }
        // Nobody who waits for this line asks too early.
        let address = "http://\(options.address.at(port: server.port))/"
        let report = TextReport(json: ["schema": "knot.serve/1", "url": .string(address)], lines: [address])
        _ = try report.finish(context)
        let services = try LiveOutside(context).services
        let overview = QueueOverview(pool) {
            let left = await services.callsLeft(context.environment)
            return services.entries.reduce(into: [:]) { quotas, entry in
                guard entry.conduct != nil, let quota = entry.capability.quota else { return }
                let name = entry.capability.name
                quotas[name.rawValue] = OperationsOverview.Quota(calls: quota.calls, left: left[name])
            }
        }
        await OperationsWatch(overview, page).run(streams: { server.streams }) { server.send($0) }
        return .done
    }
}
