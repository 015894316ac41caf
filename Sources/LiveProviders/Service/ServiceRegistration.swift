import Digest
import FileInput
package import HTTPClient
import KnotDomain
package import Recommendation

/// All that the folder of a service tells of it: what it can do, which variables set it up, and how it is made of them.
package struct ServiceRegistration: Sendable {
    package typealias Making = (any HTTPSender) -> any LiveService

    package let capability: ProviderCapability
    package let settings: [ServiceSetting]
    private let make: @Sendable (ServiceSettings) throws(SetupProblem) -> Making

    /// The variables begin with `KNOT_` and the provider's name in capitals.
    package init(
        _ capability: ProviderCapability,
        settings: [ServiceSetting],
        make: @escaping @Sendable (ServiceSettings) throws(SetupProblem) -> Making
    ) {
        self.capability = capability
        self.settings = settings
        self.make = make
    }

    func service(_ settings: ServiceSettings) throws(SetupProblem) -> Making { try make(settings) }

    func names(of kind: ServiceSetting.Kind) -> [String] { settings.filter { $0.kind == kind }.map(\.name) }

    /// The names of the variables, those that name files of secrets among them.
    var variables: [String] {
        let secrets = names(of: .secret)
        return secrets + secrets.map { $0 + "_FILE" } + names(of: .address) + names(of: .plain)
    }

    /// A digest of everything that sets the service up, wherever it stands: other keys have other quotas, and one key has
    /// one, whether it comes from a variable or from a file.
    func account(in settings: ServiceSettings) -> String {
        let own = self.settings.map { setting in
            // What cannot be read is nobody's account: such a service is not asked.
            let value: String? =
                switch setting.kind {
                case .secret: (try? settings.optionalSecret(setting.name)).flatMap { $0 }?.exposed
                case .address: (try? settings.address(setting.name)).flatMap { $0 } ?? setting.usual(settings)
                case .plain: settings.plain(setting.name)
                }
            return "\(setting.name)=\(value ?? "")"
        }
        return String(SHA256Digest(of: own.joined(separator: "\n")).hex.prefix(16))
    }
}

/// A variable that sets a service up.
package struct ServiceSetting: Sendable {
    package enum Kind: Sendable {
        /// What no output may show; it may stand in a file instead, which the variable with `_FILE` names.
        case secret
        /// What whoever sets it up may not want to show.
        case address
        /// What is asked, and hides nothing.
        case plain
    }

    let name: String
    let kind: Kind
    /// What stands in where it is not set; nil where nothing does.
    let usual: @Sendable (ServiceSettings) -> String?
    /// Whether the service cannot be asked without it; only of a secret.
    private(set) var isNeeded = true

    init(_ name: String, _ kind: Kind, usual: @escaping @Sendable (ServiceSettings) -> String? = { _ in nil }) {
        self.name = name
        self.kind = kind
        self.usual = usual
    }

    package static func secret(_ name: String, isNeeded: Bool = true) -> Self {
        var setting = Self(name, .secret)
        setting.isNeeded = isNeeded
        return setting
    }
    package static func plain(_ name: String) -> Self { Self(name, .plain) }
    package static func address(_ name: String, usually usual: String? = nil) -> Self {
        Self(name, .address) { _ in usual }
    }
}
