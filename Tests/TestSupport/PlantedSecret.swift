import Foundation
import Testing

/// Secrets that the simulated services take, which no output of a whole test run may show.
///
/// All of them have one mark: whatever a command wrote in a test, and whatever lies in a test's folder when it is removed, is
/// searched for it, and `make test` searches its own log.
package enum PlantedSecret {
    package static let mark = "canary-5f1e"

    /// Fails the running test where something that was written has a secret.
    package static func expectAbsent(from text: String, of name: String) {
        guard let place = text.firstRange(of: mark) else { return }
        let line = text[..<place.lowerBound].count(where: \.isNewline) + 1
        Issue.record("\(name) shows a secret that was planted, in line \(line)")
    }

    /// The same of every file in a folder, but for those that the test itself put there.
    static func expectAbsent(fromFolder path: String, but own: Set<String>) {
        for name in FileManager.default.enumerator(atPath: path)?.compactMap({ $0 as? String }) ?? []
        where !own.contains(name) {
            // What is no file, or is gone already, has nothing to show.
            guard let bytes = FileManager.default.contents(atPath: "\(path)/\(name)") else { continue }
            expectAbsent(from: String(decoding: bytes, as: UTF8.self), of: name)
        }
    }
}
