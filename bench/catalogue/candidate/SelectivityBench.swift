import Catalogue
import JSONDocument
import KnotDomain

/// What a filter costs, from one that lets every offer pass to one that lets hardly any.
///
///     knot-catalogue-bench selectivity FOLDER ROUNDS
///
/// Each round searches for the same phrases without a filter and with each of them; a figure is the median of the rounds'
/// ratios of processor time.
enum SelectivityBench {
    private struct Case {
        let name: String
        let filter: CatalogueFilter
    }

    static func run(folder: String, rounds: Int) throws {
        let snapshot = try CatalogueSnapshot(folder: folder)
        var source = GeneratedOffers(seed: 11)
        let cases = Self.cases
        var plain: [Double] = []
        var ratios = cases.map { _ in [Double]() }
        var shares = cases.map { _ in 0.0 }
        for round in 0..<rounds + 2 {
            var query = SnapshotQuery(source.phrases(24))
            query.limit = 600
            let whole = try time(snapshot, query).seconds
            for (number, one) in cases.enumerated() {
                query.filter = one.filter
                let (seconds, allowed) = try time(snapshot, query)
                shares[number] = Double(allowed) / Double(snapshot.count)
                if round >= 2 { ratios[number].append(seconds / whole) }
            }
            if round >= 2 { plain.append(whole * 1_000) }
        }
        for (number, one) in cases.enumerated() {
            CatalogueBench.report([
                "offers": .integer(snapshot.count), "filter": .string(one.name), "share": .number(shares[number]),
                "unfiltered_cpu_ms": .number(CatalogueBench.median(plain)),
                "ratio": .number(CatalogueBench.median(ratios[number])), "rounds": .integer(rounds),
            ])
        }
    }

    private static func time(
        _ snapshot: CatalogueSnapshot,
        _ query: SnapshotQuery
    ) throws -> (seconds: Double, allowed: Int) {
        let start = CatalogueBench.cpuTime()
        let answer = try snapshot.search(query)
        return (CatalogueBench.cpuTime() - start, answer.allowed)
    }

    /// Filters of 1 to 10⁻⁵, each by the columns that a run's rules ask.
    private static var cases: [Case] {
        func filter(
            _ kinds: [ProviderName: Set<CandidateType>]? = nil,
            towns: Int? = nil,
            prices: ClosedRange<Int>? = nil,
            days: Int? = nil
        ) -> CatalogueFilter {
            var filter = CatalogueFilter()
            filter.types = kinds
            if let towns {
                let names = Set((0..<towns).map { "Town \($0)" })
                filter.places = { $0.city.map(names.contains) ?? true }
            }
            if let prices { filter.totals = { _ in prices } }
            filter.mostShippingDays = days
            return filter
        }
        let dates: [ProviderName: Set<CandidateType>] = [.yelp: [.date]]
        return [
            Case(name: "all pass", filter: filter(towns: 400, prices: 0...1_000_000, days: 60)),
            Case(name: "nine of ten", filter: filter(prices: 750...1_000_000)),
            Case(name: "half", filter: filter(towns: 400, prices: 500...6_000, days: 40)),
            Case(name: "a run's", filter: filter(towns: 1, prices: 3_000...9_000, days: 14)),
            Case(name: "1e-2", filter: filter(dates, towns: 55)),
            Case(name: "1e-3", filter: filter(dates, towns: 5)),
            Case(name: "1e-4", filter: filter(dates, towns: 1, prices: 500...5_900)),
            Case(name: "1e-5", filter: filter(dates, towns: 1, prices: 0...1)),
        ]
    }
}
