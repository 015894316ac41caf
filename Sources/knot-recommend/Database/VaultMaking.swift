import JSONDocument
import KnotDomain
import VaultStore

/// `vault new`: stores a vault that a person wrote down or was asked for.
enum VaultMaking {
    static func report(
        _ document: JSONValue,
        from source: String,
        _ options: VaultVerbOptions,
        _ context: CommandContext
    ) async throws(CommandError) -> TextReport {
        _ = try DatabaseDesk.identity(options.asUser)
        let new = try read(document, from: source, options)
        let pool = try await DatabaseDesk(context).open(asUser: options.asUser)
        let id: PostgresUUID
        do throws(MovingError) {
            id = try await VaultKeeper(pool).create(new, until: .now + .seconds(30))
        } catch {
            throw CommandError(error, input: source)
        }
        return TextReport(
            json: [
                "schema": "knot.new-vault/1", "vault_id": .string(id.description),
                "user_id": .string(new.vault.userID.text), "hints": .integer(new.vault.hints.count),
            ],
            lines: [
                "vault \(id)", "add what you notice: knot-recommend hint add --vault \(id)",
                "and choose: knot-recommend run --vault \(id)",
            ]
        )
    }

    /// Checked before the database is opened: what is wrong with the file needs no server to say so.
    private static func read(
        _ document: JSONValue,
        from source: String,
        _ options: VaultVerbOptions
    ) throws(CommandError) -> NewVault {
        do throws(MovingError) {
            return try NewVault(reading: document, user: options.asUser.map { UserID($0) })
        } catch {
            throw CommandError(error, input: source)
        }
    }
}
