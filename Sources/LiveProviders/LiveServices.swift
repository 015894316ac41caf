package import HTTPClient
package import KnotDomain
package import Recommendation

/// The services that a run may ask besides fixtures and catalogues: a new one is a folder of its own and its line here.
package struct LiveServices: Sendable {
    /// In the order of the pipeline's sources.
    package static let registrations: [ServiceRegistration] = [.yelp, .ticketmaster, .amazon, .shopify, .firecrawl]

    /// A service with its keys, or what it lacks.
    package enum Setup: Sendable {
        case ready(any LiveService)
        /// Nobody has set it up: the variables that would.
        case missing([String])
        /// The same, where one of the variables is enough.
        case missingEither([String])
        /// Somebody has, but not so that it works: why, without any value.
        case unusable(String)
    }

    /// One service as it is set up here.
    package struct Entry: Sendable {
        package let capability: ProviderCapability
        package let setup: Setup
        /// What is known of a service that is ready, for whoever counts its calls.
        package let conduct: ServiceConduct?

        fileprivate init(capability: ProviderCapability, setup: Setup, conduct: ServiceConduct? = nil) {
            self.capability = capability
            self.setup = setup
            self.conduct = conduct
        }

        package var service: (any LiveService)? { if case .ready(let service) = setup { service } else { nil } }

        /// Why it does not work although somebody has set it up.
        package var problem: String? { if case .unusable(let why) = setup { why } else { nil } }
    }

    /// In the order of their registrations.
    package let entries: [Entry]

    /// The sender of each service: the client with what stands around it for that service alone.
    package typealias Sending = @Sendable (ServiceConduct) -> any HTTPSender

    /// What the services of this environment are; nothing is sent.
    package init(
        _ registrations: [ServiceRegistration] = Self.registrations,
        environment: @escaping (String) -> String?,
        zones: any ZoneSource,
        now: @escaping @Sendable () -> Instant,
        sending: Sending
    ) {
        let settings = ServiceSettings(environment, zones: zones, now: now)
        entries = registrations.map { registration in
            let capability = registration.capability
            do throws(SetupProblem) {
                let service = try registration.service(settings)
                // What a reply means the service itself says, whoever sends for it.
                let conduct = ServiceConduct(service(NobodySender()), account: registration.account(in: settings))
                return Entry(capability: capability, setup: .ready(service(sending(conduct))), conduct: conduct)
            } catch {
                switch error {
                case .missing(let names):
                    return Entry(capability: capability, setup: .lacking(names, "and", registration, settings))
                case .missingEither(let names):
                    return Entry(capability: capability, setup: .lacking(names, "or", registration, settings))
                case .unusable(let why): return Entry(capability: capability, setup: .unusable(why))
                }
            }
        }
    }

    /// Those that can be asked.
    package var all: [any LiveService] { entries.compactMap(\.service) }

    /// What all of them can do, whether they are set up or not: pipelines name them all the same.
    package static var capabilities: [ProviderCapability] { registrations.map(\.capability) }

    /// The variables that set services up.
    package static var variables: [String] {
        registrations.flatMap(\.variables) + ["KNOT_PAGES", "KNOT_REPLIES", "KNOT_LIVE_LIMITS"]
    }
}

extension LiveServices.Setup {
    /// Nobody who names one of a service's keys means to do without it.
    fileprivate static func lacking(
        _ names: [String],
        _ joint: String,
        _ registration: ServiceRegistration,
        _ settings: ServiceSettings
    ) -> Self {
        let isBegun = registration.names(of: .secret).contains(where: settings.isSet)
        guard isBegun else { return joint == "or" ? .missingEither(names) : .missing(names) }
        let verb = names.count == 1 || joint == "or" ? "is" : "are"
        return .unusable(
            "\(names.joined(separator: " \(joint) ")) \(verb) not set, and its keys alone do not set it up"
        )
    }
}

/// Stands where nothing is ever sent.
private struct NobodySender: HTTPSender {
    func send(
        _ request: HTTPRequest,
        by deadline: ContinuousClock.Instant
    ) async throws(HTTPFailure) -> HTTPResponse {
        throw HTTPFailure(.unavailable, host: "", "nothing is sent from here")
    }
}
