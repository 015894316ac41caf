import StageGraph

/// The hard rules of a set, strictest first; each may be relaxed only when no set can keep it.
package struct SetRules: Sendable, Equatable {
    package var distinctMerchants: Bool
    package var noNearDuplicates: Bool
    package var twoTypes: Bool

    static let twoTypes = Parameter<Bool>("two_types", default: true, "At least two types, when the pool has them.")
    static let distinctMerchants = Parameter<Bool>("distinct_merchants", default: true, "No two of one merchant.")
    static let noNearDuplicates = Parameter<Bool>("no_near_duplicates", default: true, "No two near-same things.")
    static let declarations = [twoTypes.declaration, distinctMerchants.declaration, noNearDuplicates.declaration]

    init(_ parameters: ParameterValues) {
        distinctMerchants = parameters[Self.distinctMerchants]
        noNearDuplicates = parameters[Self.noNearDuplicates]
        twoTypes = parameters[Self.twoTypes]
    }

    init(distinctMerchants: Bool, noNearDuplicates: Bool, twoTypes: Bool) {
        self.distinctMerchants = distinctMerchants
        self.noNearDuplicates = noNearDuplicates
        self.twoTypes = twoTypes
    }

    /// Whether two offers may stand side by side.
    func allows(_ left: Ranked<Offer>, _ right: Ranked<Offer>) -> Bool {
        if distinctMerchants, let merchant = left.item.words.merchant, merchant == right.item.words.merchant {
            return false
        }
        return !(noNearDuplicates && Sameness.isNearDuplicate(left.item, right.item))
    }

    /// These rules with fewer and fewer of them kept: each time the least strict ones that help are given up, and none
    /// beside them.
    var relaxed: [(rules: SetRules, given: [String])] {
        (0..<8).compactMap { pattern in
            var rules = self
            var given: [String] = []
            if pattern & 1 != 0 {
                guard rules.twoTypes else { return nil }
                rules.twoTypes = false
                given.append("two_types")
            }
            if pattern & 2 != 0 {
                guard rules.distinctMerchants else { return nil }
                rules.distinctMerchants = false
                given.append("distinct_merchants")
            }
            if pattern & 4 != 0 {
                guard rules.noNearDuplicates else { return nil }
                rules.noNearDuplicates = false
                given.append("no_near_duplicates")
            }
            return (rules, given)
        }
    }
}
