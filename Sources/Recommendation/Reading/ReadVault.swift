import JSONDocument
package import KnotDomain
package import StageGraph

/// Reads the vault and works out the occasion, its day and its budget.
package struct ReadVault: TransformStage {
    package static let kind = "read.vault"
    package static let revision = 2
    package static let role = StageRole.reader
    package static let summary = "Reads the vault and determines the occasion, its day and its budget."

    static let asListed = Parameter<Bool>(
        "as_listed",
        default: false,
        "Whether the listed order of likes, vibes, hints and history has a meaning."
    )
    package static let parameters = [asListed.declaration]

    private let asListed: Bool
    private let ports: StagePorts

    package init(_ parameters: ParameterValues, ports: StagePorts) {
        asListed = parameters[Self.asListed]
        self.ports = ports
    }

    package func run(_ inputs: StageInputs, in context: StageContext) async throws(StageFailure) -> Brief {
        let request = ports.request
        let ports = ports
        let vault = try await context.effects.perform(
            .vaultRead,
            key: .string(request.vaultID.text),
            codec: .vault
        ) { () async throws(StageFailure) in try await ports.vaults.vault(request.vaultID) }
        let asOf = try await time(in: context)
        let zone = zone(of: vault, in: context)
        let today = zone.localDate(at: asOf)
        let (tier, milestone) = try occasion(in: vault)
        guard let budget = vault.budgets[tier] else {
            throw StageFailure(.data, code: "no_budget", "the vault has no budget for \(tier.rawValue)")
        }
        return Brief(
            vault: asListed ? vault : vault.inOneOrder,
            tier: tier,
            milestone: milestone,
            occurrence: try milestone.map { milestone throws(StageFailure) in
                try occurrence(of: milestone, on: today, in: vault)
            },
            asOf: asOf,
            today: today,
            zone: zone,
            budget: budget,
            rates: ports.rates,
            refresh: request.refresh,
            zones: ports.zones,
            isLive: request.isLive
        )
    }

    private func time(in context: StageContext) async throws(StageFailure) -> Instant {
        if let asOf = ports.request.asOf { return asOf }
        let clock = ports.clock
        return try await context.effects.perform(.clock, key: .null, codec: .instant) { clock.now() }
    }

    private func zone(of vault: Vault, in context: StageContext) -> ZoneRules {
        if let rules = ports.zones.rules(named: vault.timeZone) { return rules }
        context.note(
            "unknown_zone",
            "time zone \(vault.timeZone) is not known on this machine; days are counted in UTC",
            degrades: false
        )
        return .utc
    }

    private func occasion(in vault: Vault) throws(StageFailure) -> (OccasionTier, Milestone?) {
        switch ports.request.occasion {
        case .tier(let tier): return (tier, nil)
        case .milestone(let id):
            guard let milestone = vault.milestones.first(where: { $0.id == id }) else {
                throw StageFailure(.request, code: "no_milestone", "the vault has no milestone \(id)")
            }
            return (milestone.tier, milestone)
        }
    }

    private func occurrence(
        of milestone: Milestone,
        on today: CivilDate,
        in vault: Vault
    ) throws(StageFailure) -> CivilDate {
        switch MilestoneCalendar.occurrence(of: milestone, onOrAfter: today, country: vault.location?.country) {
        case .on(let date, _): return date
        case .past(let date):
            throw StageFailure(
                .data,
                code: "milestone_past",
                "the one-time milestone \(milestone.id) was on \(date), before \(today)"
            )
        case .unknown(let holiday, let year):
            throw StageFailure(
                .data,
                code: "milestone_undated",
                "the day of \(holiday) is known until \(year) only; milestone \(milestone.id)"
            )
        }
    }
}

extension Vault {
    /// The same vault with its lists in one order, each entry once, so that nothing depends on how they were listed.
    ///
    /// Sums in floating point, cuts after so many and the first of equals would otherwise tell one listing from another.
    package var inOneOrder: Vault {
        Vault(
            id: id,
            userID: userID,
            partnerName: partnerName,
            tenureMonths: tenureMonths,
            cohabitation: cohabitation,
            location: location,
            timeZone: timeZone,
            likes: Set(likes).sorted(),
            dislikes: Set(dislikes).sorted(),
            vibes: Set(vibes).sorted { $0.rawValue < $1.rawValue },
            budgets: budgets,
            loveLanguages: loveLanguages,
            milestones: milestones,
            hints: hints.sorted { ($0.createdAt, $0.id) < ($1.createdAt, $1.id) },
            history: history.map(\.inOneOrder).sorted { $0.place < $1.place },
            learned: learned
        )
    }
}

extension HistoryItem {
    /// The order of its feedback means something in one thing only: which rating is the latest.
    fileprivate var inOneOrder: HistoryItem {
        guard feedback.count > 1 else { return self }
        return HistoryItem(
            title: title,
            type: type,
            merchant: merchant,
            url: url,
            priceCents: priceCents,
            at: at,
            feedback: standingFeedback.sorted { $0.place < $1.place }
        )
    }

    fileprivate var place: (Instant, String, String, String, Int, String) {
        (at, title, url ?? "", merchant ?? "", priceCents ?? -1, type.rawValue)
    }
}

extension Feedback {
    fileprivate var place: (String, Int, String) { (action.rawValue, rating ?? 0, reason ?? "") }
}
