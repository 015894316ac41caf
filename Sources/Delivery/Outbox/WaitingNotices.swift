import FileInput

/// The notices of one vault that wait in an outbox for whoever reads it.
///
/// They are found by what they say: their names are those of notifications, which go with the vault.
package struct WaitingNotices: Sendable {
    /// Why the outbox could not be searched or emptied.
    package struct Fault: Error, Sendable, Equatable {
        package let folder: String
        /// As it stands in a sentence about the folder.
        package let words: String
    }

    private let folder: String

    package init(in folder: String) {
        self.folder = folder
    }

    /// The files about a vault, whole ones and what a process that was killed has left of one; none where there is no folder.
    package func files(about vault: String) throws(Fault) -> [String] {
        try looking { folder throws(OutboxFolder.Fault) in try names(in: folder, about: vault) }
    }

    /// Removes them, and returns their paths.
    package func remove(about vault: String) throws(Fault) -> [String] {
        try looking { folder throws(OutboxFolder.Fault) in
            let names = try names(in: folder, about: vault)
            for name in names { try folder.remove(name) }
            if !names.isEmpty { try folder.sync() }
            return names
        }
    }

    private func looking(
        _ body: (borrowing OutboxFolder) throws(OutboxFolder.Fault) -> [String]
    ) throws(Fault) -> [String] {
        do throws(OutboxFolder.Fault) {
            return try body(OutboxFolder(folder)).map { "\(folder)/\($0)" }
        } catch {
            if error.code == "outbox_missing" { return [] }
            throw Fault(folder: folder, words: error.words)
        }
    }

    private func names(
        in open: borrowing OutboxFolder,
        about vault: String
    ) throws(OutboxFolder.Fault) -> [String] {
        // Ids stand before all texts of strangers, which cannot hold a quotation mark as it is.
        let member = Array("\"vault_id\":\"\(vault)\"".utf8)
        var found: [String] = []
        for name in try OutboxDelivery.names(in: folder) where name.hasSuffix(".json") || name.hasSuffix(".part") {
            if let head = open.beginning(of: name, bytes: 4_096), head.contains(member) { found.append(name) }
        }
        return found
    }
}
