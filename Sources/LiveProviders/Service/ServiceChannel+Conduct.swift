package import HTTPClient
import KnotDomain
import Recommendation

extension ServiceChannel.Policy {
    /// How calls to a service are kept within what it declares, and what its replies mean for the calls after them.
    ///
    /// A quota of a day or more is the ledger's, since it outlives this process; a shorter one is a rate.
    package init(_ conduct: ServiceConduct) {
        self.init(conduct.capability.name.rawValue)
        if let quota = conduct.capability.quota, quota.period < .seconds(86_400) {
            rate = RateLimit(calls: quota.calls, per: quota.period, burst: max(1, quota.calls / 2))
        }
        judge = { response, now in
            guard let failure = conduct.failure(response) else { return .final }
            switch failure.remedy {
            case .none: return .final
            case .pause(let time): return .pause(for: time)
            case .again(let after):
                // A date is for whoever has a clock.
                let wait = after ?? RetryAfter.wait(of: response, now: now)
                return [200, 429, 430].contains(response.status) ? .slower(after: wait) : .retry(after: wait)
            }
        }
    }
}

extension ServiceConduct {
    /// The ledger of a service's day in a folder that all processes of a machine share; nil where no day's quota is known.
    package func ledger(in folder: String) -> QuotaLedger? {
        guard let quota = capability.quota, quota.period >= .seconds(86_400) else { return nil }
        let name = capability.name.rawValue.filter { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-") }
        return QuotaLedger(
            at: "\(folder)/quota-\(name)",
            limit: quota.calls,
            period: Int64(quota.period / .seconds(1))
        )
    }
}
