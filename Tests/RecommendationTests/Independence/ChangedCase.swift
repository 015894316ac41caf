import Fixtures
import KnotDomain
import Recommendation
import StageGraph

/// Changes to a judged vault that must not change what is chosen for it.
struct ChangedCase {
    let base: FixtureCase

    /// Without these candidates.
    func without(_ ids: Set<String>) -> FixtureCase {
        made(candidates: base.fixture.candidates.filter { !ids.contains($0.id.text) })
    }

    /// With others' offers among its own that its own rules drop: they cost more than the vault ever spends.
    func withForbidden(_ count: Int, from other: FixtureCase, _ generator: inout SeededGenerator) -> FixtureCase {
        let most = base.fixture.vault.budgets.values.map(\.maximum).max() ?? 0
        let currency = base.fixture.vault.budgets.values.first?.currency ?? .usd
        let added = other.fixture.candidates.shuffled(using: &generator).prefix(count).enumerated().map {
            place,
            foreign in
            foreign.changed(
                id: "0-forbidden-\(place)",
                url: "https://elsewhere.example/\(place)",
                price: 3 * most + 1,
                currency: currency
            )
        }
        return made(candidates: (base.fixture.candidates + added).shuffled(using: &generator))
    }

    /// With copies of what is shown that are the same in all and rated worse, from merchants of their own or the same.
    func withWorse(_ count: Int, than shown: [String], _ generator: inout SeededGenerator) -> FixtureCase {
        let models = base.fixture.candidates.filter { shown.contains($0.id.text) }
        guard !models.isEmpty else { return base }
        let added = (0..<count).map { place in
            let model = models[place % models.count]
            return model.changed(
                id: "zz-worse-\(place)",
                url: "https://elsewhere.example/\(place)",
                merchant: generator.next() & 1 == 0 ? model.merchant : "Another merchant \(place)",
                rating: 1,
                reviews: 900
            )
        }
        return made(
            candidates: (base.fixture.candidates + added).shuffled(using: &generator),
            facts: Dictionary(
                added.enumerated().map { ($1.id, base.fixture.facts[models[$0 % models.count].id]) }
            ) { first, _ in first }.compactMapValues { $0 }
        )
    }

    /// With every list in another order.
    func reordered(_ generator: inout SeededGenerator) -> FixtureCase {
        let vault = base.fixture.vault
        let other = Vault(
            id: vault.id,
            userID: vault.userID,
            partnerName: vault.partnerName,
            tenureMonths: vault.tenureMonths,
            cohabitation: vault.cohabitation,
            location: vault.location,
            timeZone: vault.timeZone,
            likes: vault.likes.shuffled(using: &generator),
            dislikes: vault.dislikes.shuffled(using: &generator),
            vibes: vault.vibes.shuffled(using: &generator),
            budgets: vault.budgets,
            loveLanguages: vault.loveLanguages,
            milestones: vault.milestones.shuffled(using: &generator),
            hints: vault.hints.shuffled(using: &generator),
            history: vault.history.shuffled(using: &generator),
            learned: vault.learned
        )
        let candidates = base.fixture.candidates.shuffled(using: &generator).map { candidate in
            candidate.changed(tags: candidate.tags.shuffled(using: &generator))
        }
        return made(vault: other, candidates: candidates)
    }

    private func made(
        vault: Vault? = nil,
        candidates: [Candidate],
        facts: [CandidateID: AvailabilityFact] = [:]
    ) -> FixtureCase {
        FixtureCase(
            stem: base.stem,
            fixture: Fixture(
                name: base.fixture.name,
                story: nil,
                asOf: base.fixture.asOf,
                request: base.fixture.request,
                vault: vault ?? base.fixture.vault,
                candidates: CandidateList(candidates),
                facts: base.fixture.facts.merging(facts) { first, _ in first },
                judgments: nil
            ),
            reader: base.reader,
            rates: base.rates,
            digest: base.digest,
            occasion: base.occasion
        )
    }
}

extension Candidate {
    fileprivate func changed(
        id: String? = nil,
        url: String? = nil,
        price: Int? = nil,
        currency: Currency? = nil,
        merchant: String? = nil,
        rating: Double? = nil,
        reviews: Int? = nil,
        tags: [String]? = nil
    ) -> Candidate {
        Candidate(
            id: id.map { CandidateID($0) } ?? self.id,
            provider: provider,
            type: type,
            title: title,
            description: description,
            url: url ?? self.url,
            imageURL: imageURL,
            priceCents: price ?? priceCents,
            currency: currency ?? self.currency,
            merchant: merchant ?? self.merchant,
            location: location,
            startsAt: startsAt,
            rating: rating ?? self.rating,
            reviewCount: reviews ?? reviewCount,
            shipsInDays: shipsInDays,
            tags: tags ?? self.tags
        )
    }
}
