import HTTPClient
package import KnotDomain
import Recommendation

extension LiveServices {
    /// What is never written down of calls to the services of an environment.
    ///
    /// Throws the name of a variable whose secret is too short to be told from other texts.
    package static func scrubber(of environment: @escaping (String) -> String?) throws(ShortSecret) -> Scrubber {
        let hidden = ServiceSettings(environment).hidden(of: registrations)
        if let short = hidden.first(where: { $0.isSecret && $0.text.utf8.count < Scrubber.leastLength }) {
            throw ShortSecret(variable: short.name)
        }
        return Scrubber(hidden)
    }

    /// A secret that could not be kept out of what is written.
    package struct ShortSecret: Error, Sendable, Hashable {
        package let variable: String
    }

    /// What sets up each service that can be asked, without keys and addresses.
    package func settings(in environment: (String) -> String?) -> [ProviderName: [String: String]] {
        var settings: [ProviderName: [String: String]] = [:]
        for service in all.map(\.capability.name) {
            let registration = Self.registrations.first { $0.capability.name == service }
            var own: [String: String] = [:]
            for name in registration?.names(of: .plain) ?? [] { own[name] = environment(name) }
            // That Shopify's catalogue is asked shows in whether there is a profile.
            let isAsked = environment("KNOT_SHOPIFY_PROFILE")?.isEmpty == false
            if service == .shopify, isAsked { own["KNOT_SHOPIFY_PROFILE"] = TrafficTape.playedProfile }
            settings[service] = own
        }
        return settings
    }
}

extension TrafficTape {
    static let playedProfile = "https://played-back.invalid/profile"

    /// The variables that set up the recorded services for whoever plays them back: no key of anybody's.
    package func variable(_ name: String) -> String? {
        guard let service = services.first(where: { name.hasPrefix("KNOT_\($0.key.rawValue.uppercased())_") }) else {
            return nil
        }
        let setting = LiveServices.registrations.flatMap(\.settings).first { $0.name == name }
        if let setting, setting.kind == .secret, !setting.isNeeded { return nil }
        if setting?.kind == .secret { return "played-back-\(name.lowercased())" }
        let isPlain = setting?.kind == .plain || name == "KNOT_SHOPIFY_PROFILE"
        return isPlain ? service.value[name] : nil
    }

    /// What a player leaves out of calls, so that it knows them again.
    package var scrubber: Scrubber { Scrubber(ServiceSettings { variable($0) }.hidden(of: LiveServices.registrations)) }
}
