import Digest
import Glibc
import Synchronization

/// Whether Apple has ever taken a notice for this app, with this key, at this server: topic and environment are right then,
/// and a device that does not fit is gone.
///
/// It outlives the process, in a file: one that a timer starts for a single reminder would never know it otherwise, and would
/// take every dead device for a setting that is wrong. Where no file can be kept it is known to this process alone.
package final class APNSProof: Sendable {
    /// Nil where there is no folder.
    private let file: String?
    private let folder: String?
    private let isKnown = Atomic(false)

    /// - Parameters:
    ///   - folder: Where a program keeps what it knows; made where it is missing. Nil keeps nothing.
    ///   - settings: Those that were proved; with others it is another file.
    ///   - key: The key that Apple knew.
    package init(in folder: String?, of settings: APNSDelivery.Settings, key: APNSKey) {
        let proved = [settings.base, settings.topic, key.team, key.id].joined(separator: "\n")
        self.folder = folder
        file = folder.map { "\($0)/apns-\(SHA256Digest(of: proved).hex.prefix(32))" }
    }

    /// Known to this process alone.
    package init() {
        (file, folder) = (nil, nil)
    }

    /// Whether it was taken by this process or by one before.
    var isThere: Bool {
        if isKnown.load(ordering: .relaxed) { return true }
        guard let file else { return false }
        var status = stat()
        // The structure is alive for the call, which fills it.
        guard unsafe lstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return false }
        isKnown.store(true, ordering: .relaxed)
        return true
    }

    /// Notes that Apple took a notice.
    func note() {
        guard !isKnown.exchange(true, ordering: .relaxed), let file, let folder else { return }
        // What cannot be written is no failure of the notice: the next process has to find out anew.
        var path = ""
        for part in folder.split(separator: "/") {
            path += "/\(part)"
            _ = unsafe mkdir(path, 0o700)
        }
        let descriptor = unsafe open(file, O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        if descriptor >= 0 { close(descriptor) }
    }
}
