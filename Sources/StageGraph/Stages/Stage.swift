/// One kind of work in a graph: configuration in its initialiser, no mutable state, the outside only through its ports.
///
/// Conform to one of the role protocols (`TransformStage`, `SourceStage`, `FilterStage`, …), never to this one alone:
/// the roles are what the runner knows how to account for.
package protocol Stage: Sendable {
    /// The name by which definitions ask for it, such as `filter.budget`.
    static var kind: String { get }
    /// Raised whenever behaviour changes, so that the plan's identity changes with it.
    static var revision: Int { get }
    static var role: StageRole { get }
    /// One sentence for `graph`, `check` and the documentation.
    static var summary: String { get }
    /// The inputs besides those its role prescribes.
    static var inputs: [InputDeclaration] { get }
    static var parameters: [ParameterDeclaration] { get }
    /// Everything about a node's setting that would make its runs fail, or that has no effect in them.
    ///
    /// Each parameter alone has been held against its bounds before; here is said what does not fit together.
    static func objections(to setting: StageSetting) -> [StageObjection]
}

extension Stage {
    package static var revision: Int { 1 }
    package static var inputs: [InputDeclaration] { [] }
    package static var parameters: [ParameterDeclaration] { [] }
    package static func objections(to setting: StageSetting) -> [StageObjection] { [] }
}

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

/// A reader, retriever, planner, relater or presenter: values in, one value out, no items won or lost.
package protocol TransformStage: Stage {
    associatedtype Output: Sendable

    func run(_ inputs: StageInputs, in context: StageContext) async throws(StageFailure) -> Output
}

/// Brings items in from outside; the runner keeps the first of two items with one id and counts the other.
package protocol SourceStage: Stage {
    associatedtype Item: GraphItem

    func retrieve(_ inputs: StageInputs, in context: StageContext) async throws(StageFailure) -> [Item]
}

extension SourceStage {
    package static var role: StageRole { .source }
}

/// Makes one pool of several, saying of every item whether it was kept, merged or cut.
package protocol AggregateStage: Stage {
    associatedtype Item: GraphItem

    /// The pools come in declared order, each with the node it came from.
    func unite(
        _ pools: [(node: NodeID, value: Pool<Item>)],
        _ inputs: StageInputs,
        in context: StageContext
    ) async throws(StageFailure) -> Union<Item>
}

extension AggregateStage {
    package static var role: StageRole { .aggregator }
    /// The joining input every aggregator has.
    package static var pools: ManyPort<Pool<Item>> { ManyPort("pools") }
}

/// Looks at one item at a time and keeps it or drops it with a reason.
package protocol FilterStage: Stage {
    associatedtype Item: GraphItem
    associatedtype Facts

    /// Works out once per run what every verdict needs; the whole pool is given so that costly tables are made once.
    func facts(
        for pool: Pool<Item>,
        _ inputs: StageInputs,
        in context: StageContext
    ) async throws(StageFailure) -> Facts
    func verdict(on item: Item, given facts: Facts) throws(StageFailure) -> FilterVerdict
}

extension FilterStage {
    package static var role: StageRole { .filter }
    /// The input every filter has.
    package static var pool: InputPort<Pool<Item>> { InputPort("pool") }
}

/// Gives each item a contribution or none; a value that is not finite counts as none and is traced.
package protocol ScoreStage: Stage {
    associatedtype Item: GraphItem
    associatedtype Facts

    /// Works out once per run what every contribution needs.
    func facts(
        for pool: Pool<Item>,
        _ inputs: StageInputs,
        in context: StageContext
    ) async throws(StageFailure) -> Facts
    func contribution(of item: Item, given facts: Facts) throws(StageFailure) -> Contribution?
}

extension ScoreStage {
    package static var role: StageRole { .scorer }
    /// The input every scorer has.
    package static var pool: InputPort<Pool<Item>> { InputPort("pool") }
}

/// Keeps a part of a pool by what some scorers said; every other item is cut with a reason.
package protocol ShortlistStage: Stage {
    associatedtype Item: GraphItem

    /// Returns the kept items in the order later stages shall see them, and the cut ones.
    func shorten(
        _ pool: Pool<Item>,
        by columns: [ScoreColumn],
        _ inputs: StageInputs,
        in context: StageContext
    ) throws(StageFailure) -> Union<Item>
}

extension ShortlistStage {
    package static var role: StageRole { .shortlist }
    package static var pool: InputPort<Pool<Item>> { InputPort("pool") }
    package static var columns: ManyPort<ScoreColumn> { ManyPort("scores") }
}

/// Makes one total of the scorers' contributions; the parts must add up to the score.
package protocol CombineStage: Stage {
    associatedtype Item: GraphItem

    func total(of item: Item, from columns: [ScoreColumn], _ inputs: StageInputs) throws(StageFailure) -> Total
}

extension CombineStage {
    package static var role: StageRole { .combiner }
    package static var pool: InputPort<Pool<Item>> { InputPort("pool") }
    package static var columns: ManyPort<ScoreColumn> { ManyPort("scores") }
}

/// Chooses a set; selected, reserve and rest are disjoint and together everything that was ranked.
package protocol SelectStage: Stage {
    associatedtype Item: GraphItem

    func select(
        from ranking: Ranking<Item>,
        _ inputs: StageInputs,
        in context: StageContext
    ) async throws(StageFailure) -> Selection<Item>
}

extension SelectStage {
    package static var role: StageRole { .selector }
    package static var ranking: InputPort<Ranking<Item>> { InputPort("ranking") }
}

/// Asks the outside whether what was selected stands, and refills from the reserve.
package protocol CheckStage: Stage {
    associatedtype Item: GraphItem

    func check(
        _ selection: Selection<Item>,
        _ inputs: StageInputs,
        in context: StageContext
    ) async throws(StageFailure) -> CheckedSelection<Item>
}

extension CheckStage {
    package static var role: StageRole { .check }
    package static var selection: InputPort<Selection<Item>> { InputPort("selection") }
}

/// Writes the result; the only role that may, and doing it twice must be the same as once.
package protocol SinkStage: Stage {
    associatedtype Receipt: Sendable

    func write(_ inputs: StageInputs, in context: StageContext) async throws(StageFailure) -> Receipt
}

extension SinkStage {
    package static var role: StageRole { .sink }
}
