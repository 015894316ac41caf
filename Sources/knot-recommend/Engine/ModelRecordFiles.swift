import Digest
import JSONDocument
import KnotDomain
import TextEncoding

/// Keeps what was found out about models in the cache folder: a small file for each file of weights, and one for each model
/// that was calibrated.
struct ModelRecordFiles: ModelRecords {
    private let folder: String
    /// A file changed so short a while ago could change again without its times telling.
    private static let shortWhile = 2_000_000_000

    /// In the `models` of a cache folder.
    init(cache: String) {
        folder = cache + "/models"
    }

    func record(of stamp: FileStamp) -> ModelRecord? {
        guard let json = read(path(of: stamp)) else { return nil }
        return ModelRecord(json, of: stamp)
    }

    func keep(_ record: ModelRecord) {
        guard Int(MachineClock().now().millisecondsSinceEpoch) * 1_000_000 - record.stamp.changed > Self.shortWhile
        else { return }
        write(record.json, to: path(of: record.stamp))
    }

    /// What calibrating found out about a model's cosines.
    func profile(of model: String) -> CosineProfile? {
        guard let json = read(path(of: model)), json["model"]?.string == model else { return nil }
        return json["profile"].flatMap { CosineProfile($0) }
    }

    /// Keeps it, and says where.
    func keep(_ profile: CosineProfile, of model: String) throws(CommandError) -> String {
        let path = path(of: model)
        let json: JSONValue = ["model": .string(model), "profile": profile.json]
        try PrivateFolder.make(for: path)
        try AtomicFile.write(JSONWriter.bytes(json, style: .pretty) + [0x0A], to: path)
        return path
    }

    private func path(of model: String) -> String {
        "\(folder)/\(SHA256Digest(of: model).hex.prefix(24)).profile.json"
    }

    private func path(of stamp: FileStamp) -> String { "\(folder)/\(stamp.device)-\(stamp.inode).json" }

    private func read(_ path: String) -> JSONValue? {
        // Nothing is kept there that cannot be found out again: what cannot be read was never kept.
        guard FileStatus(path: path)?.kind == .regular else { return nil }
        do throws(CommandError) {
            return try InputFile.readJSON(path, broken: .badInput)
        } catch {
            return nil
        }
    }

    private func write(_ json: JSONValue, to path: String) {
        do throws(CommandError) {
            try PrivateFolder.make(for: path)
            try AtomicFile.write(JSONWriter.bytes(json, style: .pretty) + [0x0A], to: path)
        } catch {
            // A cache that cannot be written to costs the next start a little time; it says so where embeddings are kept.
        }
    }
}
