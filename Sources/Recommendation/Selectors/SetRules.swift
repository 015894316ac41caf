import StageGraph

/// The hard rules of a set; all but the one on near duplicates may be given up, where no set can keep them.
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

    /// One step of the ladder: the size of the set that is looked for, the rules it keeps and those it gives up.
    struct Rung {
        let size: Int
        let rules: SetRules
        let given: [String]
    }

    /// What every selector and the check try one after another: the greatest set first, and for one size first all rules,
    /// then without the least strict ones.
    ///
    /// Near duplicates are one thing, so that rule is never given up: then the set is smaller.
    func ladder(from size: Int) -> [Rung] {
        stride(from: size, to: 0, by: -1).flatMap { size in
            (0..<4).compactMap { pattern in
                var rules = self
                var given: [String] = []
                if pattern & 1 != 0 {
                    guard rules.twoTypes else { return nil }
                    rules.twoTypes = false
                    given.append(Self.twoTypes.name)
                }
                if pattern & 2 != 0 {
                    guard rules.distinctMerchants else { return nil }
                    rules.distinctMerchants = false
                    given.append(Self.distinctMerchants.name)
                }
                return Rung(size: size, rules: rules, given: given)
            }
        }
    }
}
