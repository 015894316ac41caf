/// The part a stage plays; the order of the cases is the order in which roles may follow one another.
package enum StageRole: String, CaseIterable, Sendable, Comparable {
    case reader
    case retriever
    case planner
    case source
    case aggregator
    /// Works out tables over the whole pool, such as how near each phrase is to each item.
    case relater
    case filter
    case scorer
    case shortlist
    case combiner
    case selector
    case check
    case presenter
    case sink

    package static func < (left: Self, right: Self) -> Bool { left.rank < right.rank }

    private var rank: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}
