import JSONDocument
package import KnotDomain
package import Recommendation
import StageGraph
import Testing

/// All that a vault source promises, whatever lies behind it.
package enum VaultSourceContract {
    /// Fails the running test where the source, which holds these vaults and no others, breaks its promise.
    package static func verify(_ source: any VaultSource, holding vaults: [Vault]) async throws {
        for vault in vaults {
            let found = try await source.vault(vault.id)
            expectEqual(found, vault)
            // A recording keeps the vault as its document.
            let reader = JSONReader(found.json)
            #expect(Vault(reading: reader) == found, "\(vault.id): \(reader.problems.list)")
        }
        try await verifyStrangers(source, holding: vaults)
        try await verifyTogether(source, vaults)
    }

    /// What is not there is class data, code `no_vault`, however the id is written.
    private static func verifyStrangers(_ source: any VaultSource, holding vaults: [Vault]) async throws {
        let strangers = [
            "00000000-0000-4000-8000-00000000dead", "", " ", "vault", "service_role", "%", "null",
            "'; drop table public.partner_vaults; --", "\u{0}", "日本", String(repeating: "a", count: 100_000),
            "00000000-0000-4000-8000-00000000deadbeef",
        ]
        for text in strangers {
            do throws(StageFailure) {
                let found = try await source.vault(VaultID(text))
                Issue.record("\(text.prefix(60)) gave the vault \(found.id)")
            } catch {
                #expect(error.failureClass == .data && error.code == "no_vault", "\(text.prefix(60)): \(error)")
                for vault in vaults { #expect(!error.detail.contains(vault.id.text)) }
            }
        }
        // A miss leaves nothing behind.
        if let vault = vaults.first { expectEqual(try await source.vault(vault.id), vault) }
    }

    /// Reading changes nothing and nobody else's reading.
    private static func verifyTogether(_ source: any VaultSource, _ vaults: [Vault]) async throws {
        let some = vaults.prefix(8)
        let found = try await withThrowingTaskGroup(of: Vault.self) { group in
            for vault in some + some { group.addTask { try await source.vault(vault.id) } }
            return try await group.reduce(into: [Vault]()) { $0.append($1) }
        }
        for vault in some {
            let same = found.filter { $0.id == vault.id }
            #expect(same.count == 2)
            for copy in same { expectEqual(copy, vault) }
        }
    }

    /// Names the part that differs, since whole vaults are too long to compare by eye.
    private static func expectEqual(_ found: Vault, _ expected: Vault) {
        guard found != expected else { return }
        for (member, value) in zip(found.json.object?.members ?? [], expected.json.object?.members ?? [])
        where member != value {
            Issue.record("vault \(expected.id): \(member.name) is \(member.value) instead of \(value.value)")
        }
        #expect(found == expected)
    }
}
