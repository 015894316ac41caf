import StageGraph

extension SetSearch {
    /// What is known of pairs of offers during one search, worked out when a pair is first looked at: most never are.
    final class Pairs {
        private let ranked: [Ranked<Offer>]
        private let traits: [SetObjective.Trait]
        private let objective: SetObjective
        /// No number where nobody has asked yet.
        private var distances: [Double]
        private var allowances: [Bool?]

        init(_ ranked: [Ranked<Offer>], _ traits: [SetObjective.Trait], _ objective: SetObjective) {
            self.ranked = ranked
            self.traits = traits
            self.objective = objective
            distances = [Double](repeating: .nan, count: ranked.count * ranked.count)
            allowances = [Bool?](repeating: nil, count: ranked.count * ranked.count)
        }

        /// The same in both directions.
        func distance(_ first: Int, _ second: Int) -> Double {
            let (left, right) = (min(first, second), max(first, second))
            let place = left * ranked.count + right
            if distances[place].isNaN { distances[place] = objective.distance(traits[left], traits[right]) }
            return distances[place]
        }

        /// Whether the two may stand side by side; the same in both directions.
        func allows(_ first: Int, _ second: Int) -> Bool {
            let (left, right) = (min(first, second), max(first, second))
            let place = left * ranked.count + right
            if let known = allowances[place] { return known }
            let fits = objective.rules.allows(ranked[left], ranked[right])
            allowances[place] = fits
            return fits
        }
    }
}
