import JSONDocument
import KnotDomain
import VaultStore

/// What is done with one vault in the database besides choosing for it.
struct StoredVaultDesk: Sendable {
    private static let limit = Duration.seconds(60)

    private let pool: ConnectionPool
    private let options: StoredVaultOptions
    private let context: CommandContext
    private let budget: TimeBudget

    init(_ options: StoredVaultOptions, _ context: CommandContext) async throws(CommandError) {
        budget = TimeBudget(options.shared.deadline)
        pool = try await DatabaseDesk(context, budget).open(asUser: options.asUser)
        self.options = options
        self.context = context
    }

    /// The vault's own words for errors.
    private var place: String { options.vault.map { "vault \($0)" } ?? "--vault" }

    private func vault() throws(CommandError) -> PostgresUUID {
        guard let vault = options.vault else { throw .missing(.vault, options.verb) }
        return vault
    }

    private var deadline: ContinuousClock.Instant { budget.until(Self.limit) }

    /// The ids of some vaults, for a shell to offer.
    static func ids(_ context: CommandContext) async throws(CommandError) -> [String] {
        let pool = try await DatabaseDesk(context).open()
        do throws(VaultReadError) {
            return try await PostgresVaultSource(pool).vaultIDs(after: nil, limit: 500).map(\.text)
        } catch {
            throw CommandError(error)
        }
    }

    // MARK: Verbs

    /// `export`: the vault as a fixture, or everything of its person.
    func export() async throws(CommandError) -> JSONValue {
        let exporter = VaultExporter(pool)
        let vault = try vault()
        do throws(MovingError) {
            if options.isAll { return try await exporter.everything(vault, until: deadline) }
            return try await exporter.fixture(vault, until: deadline)
        } catch {
            throw CommandError(error, input: place)
        }
    }

    /// `forget`: the vault, all that hangs on it, and the files about it that this program wrote.
    func forget() async throws(CommandError) -> TextReport {
        let forgotten: ForgottenVault
        let vault = try vault()
        do throws(MovingError) {
            forgotten = try await VaultForgetter(pool).forget(vault, dryRun: options.isDryRun, until: deadline)
        } catch {
            throw CommandError(error, input: place)
        }
        let files = try WrittenFiles(context.environment).forget(vault.description, isDryRun: options.isDryRun)
        let verb = options.isDryRun ? "would remove" : "removed"
        var lines = ["\(verb) vault \(vault) and with it"]
        lines += forgotten.removals.map { "  \($0.count) of \($0.table)" }
        lines += files.removed.map { "  the file \(TerminalText.safe($0, limit: 1_000))" }
        lines += files.left.map {
            "left alone, for it is about something else now: \(TerminalText.safe($0, limit: 1_000))"
        }
        if files.removed.isEmpty { lines.append("no recording or trace of it was written here") }
        return TextReport(
            json: [
                "schema": "knot.forgotten/1", "vault_id": .string(vault.description),
                "user_id": .string(forgotten.user.description), "dry_run": .bool(options.isDryRun),
                "rows": .object(
                    JSONObject(forgotten.removals.map { .init(name: $0.table, value: .integer($0.count)) })
                ),
                "files": JSONValue(files.removed), "left": JSONValue(files.left),
            ],
            lines: lines
        )
    }

    /// `learn`: weights from feedback, of one vault or of every one.
    func learn() async throws(CommandError) -> TextReport {
        let store = LearnStore(pool)
        let asOf = options.asOf ?? MachineClock().now()
        var found: LearnOutcome?
        do throws(PostgresError) {
            guard let vault = options.vault else {
                var counts: [LearnOutcome.Change: Int] = [:]
                _ = try await store.learnAll(asOf: asOf, within: options.shared.deadline ?? .seconds(30)) { outcome in
                    counts[outcome.change, default: 0] += 1
                    context.progress("learned from \(counts.values.reduce(0, +)) vaults")
                }
                return LearnText.report(counts)
            }
            found = try await store.learn(vault, asOf: asOf, until: deadline)
        } catch {
            throw CommandError(error)
        }
        guard let found else { throw .noVault(options.vault?.description ?? "") }
        return LearnText.report(found)
    }

    /// `vault show`.
    func show() async throws(CommandError) -> TextReport {
        let vault = try vault()
        do throws(MovingError) {
            let document = try await VaultKeeper(pool).show(vault, until: deadline)
            let members = [JSONObject.Member(name: "schema", value: "knot.vault/1")] + (document.object?.members ?? [])
            return TextReport(
                json: .object(JSONObject(members)),
                lines: VaultText.lines(document, width: context.terminal.width)
            )
        } catch {
            throw CommandError(error, input: place)
        }
    }

    /// `hint add`: each text as a hint of its own, all of them or none.
    func add(_ texts: [String]) async throws(CommandError) -> TextReport {
        let vault = try vault()
        let added: AddedHints
        do throws(MovingError) {
            added = try await VaultKeeper(pool).addHints(
                texts,
                request: options.request ?? "",
                to: vault,
                at: options.asOf ?? MachineClock().now(),
                until: deadline
            )
        } catch {
            throw CommandError(error, input: place)
        }
        var lines = ["\(added.newCount) hint\(added.newCount == 1 ? "" : "s") added to vault \(vault)"]
        let known = added.ids.count - added.newCount
        if known > 0 { lines.append("\(known) \(known == 1 ? "was" : "were") there already") }
        return TextReport(
            json: [
                "schema": "knot.hints/1", "vault_id": .string(vault.description),
                "hint_ids": JSONValue(added.ids.map(\.description)), "added": .integer(added.newCount),
            ],
            lines: lines
        )
    }
}
