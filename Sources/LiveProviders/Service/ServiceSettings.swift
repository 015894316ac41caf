package import FileInput
import HTTPClient
package import KnotDomain

/// What sets services up: variables, and what all of them share.
///
/// Keys are secrets: they come from a variable, or from the file that the variable with `_FILE` names.
package struct ServiceSettings {
    private let environment: (String) -> String?
    /// For services that write times by the clocks of a place.
    package let zones: any ZoneSource
    /// What counts as now where a query does not say.
    package let now: @Sendable () -> Instant

    init(
        _ environment: @escaping (String) -> String?,
        zones: any ZoneSource = ZoneDirectory(),
        now: @escaping @Sendable () -> Instant = { Instant(millisecondsSinceEpoch: 0) }
    ) {
        self.environment = environment
        self.zones = zones
        self.now = now
    }

    /// The value of a variable; nil where it is empty.
    package func plain(_ name: String) -> String? {
        environment(name).flatMap { $0.isEmpty ? nil : $0 }
    }

    /// Whether a variable, or the file of a secret, is named.
    package func isSet(_ name: String) -> Bool { plain(name) != nil || plain(name + "_FILE") != nil }

    package func secret(_ name: String) throws(SetupProblem) -> Secret {
        guard let found = try optionalSecret(name) else { throw .missing([name]) }
        return found
    }

    /// Nil where neither the variable nor its file is set.
    package func optionalSecret(_ name: String) throws(SetupProblem) -> Secret? {
        let read: Secret?
        do throws(Secret.Unreadable) {
            read = try Secret.named(name, in: environment)
        } catch {
            throw .unusable(error.description)
        }
        guard let found = read else { return nil }
        guard found.exposed.utf8.allSatisfy({ (0x21..<0x7F).contains($0) }) else {
            throw .unusable("\(name) has a space, a line break or another character that no key has")
        }
        return found
    }

    /// An address without what an address of a service never has; plain HTTP is for this machine alone.
    package func address(_ name: String) throws(SetupProblem) -> String? {
        guard var text = plain(name) else { return nil }
        while text.hasSuffix("/") { text.removeLast() }
        let isPlain = text.utf8.allSatisfy { (0x21..<0x7F).contains($0) } && !text.contains { "?#".contains($0) }
        do throws(HTTPURL.Refusal) {
            let url = try HTTPURL(text)
            guard isPlain, url.scheme == .https || url.isLoopback else { throw .scheme }
        } catch {
            let why = error == .scheme ? "begins with https:// and has no query" : "works: \(error.rawValue)"
            throw .unusable("\(name) is no address that \(why)")
        }
        return text
    }

    /// Every secret and every address of these services, whether set or usual; a secret that cannot be read is never sent.
    func hidden(of registrations: [ServiceRegistration]) -> [Scrubber.Hidden] {
        let all = registrations.flatMap(\.settings)
        let secrets = all.filter { $0.kind == .secret }.compactMap { setting in
            (try? Secret.named(setting.name, in: environment)).flatMap { $0 }.map { found in
                Scrubber.Hidden(found.exposed, as: setting.name, isSecret: true)
            }
        }
        let addresses = all.filter { $0.kind == .address }.compactMap { setting in
            ((try? address(setting.name)).flatMap { $0 } ?? setting.usual(self)).map {
                Scrubber.Hidden($0, as: setting.name, isSecret: false)
            }
        }
        return secrets + addresses
    }
}

/// Why a service is not set up.
package enum SetupProblem: Error, Sendable {
    case missing([String])
    /// Each of these would do.
    case missingEither([String])
    case unusable(String)
}
