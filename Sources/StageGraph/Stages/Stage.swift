/// One kind of work in a graph: configuration in its initialiser, no mutable state, the outside only through its ports.
///
/// Conform to one of the role protocols (`TransformStage`, `SourceStage`, `FilterStage`, …), never to this one alone:
/// the roles are what the runner knows how to account for.
package protocol Stage: Sendable {
    /// What a node of this kind gives.
    associatedtype NodeValue: Sendable

    /// The name by which definitions ask for it, such as `filter.budget`.
    static var kind: String { get }
    /// Raised whenever behaviour changes, so that the plan's identity changes with it.
    static var revision: Int { get }
    static var role: StageRole { get }
    /// One sentence for `graph`, `check` and the documentation.
    static var summary: String { get }
    /// The inputs that its role prescribes.
    static var roleInputs: [InputDeclaration] { get }
    /// The input whose items this stage hands on or decides about, if its role has one.
    static var itemInput: String? { get }
    /// The inputs besides those its role prescribes.
    static var inputs: [InputDeclaration] { get }
    static var parameters: [ParameterDeclaration] { get }
    /// The number that a definition must set for every node at one of the inputs; nil where a stage has none of this kind.
    static var feedParameter: FeedParameter? { get }
    /// Everything about a node's setting that would make its runs fail, or that has no effect in them.
    ///
    /// Each parameter alone has been held against its bounds before; here is said what does not fit together.
    static func objections(to setting: StageSetting) -> [StageObjection]
    /// This stage without its types, inside the accounting of its role.
    var nodeBody: NodeBody { get }
}

extension Stage {
    package static var revision: Int { 1 }
    package static var roleInputs: [InputDeclaration] { [] }
    package static var itemInput: String? { nil }
    package static var inputs: [InputDeclaration] { [] }
    package static var parameters: [ParameterDeclaration] { [] }
    package static var feedParameter: FeedParameter? { nil }
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
package protocol TransformStage: Stage where NodeValue == Output {
    associatedtype Output: Sendable

    func run(_ inputs: StageInputs, in context: StageContext) async throws(StageFailure) -> Output
}

/// Brings items in from outside; the runner keeps the first of two items with one id and counts the other.
package protocol SourceStage: Stage where NodeValue == Pool<Item> {
    associatedtype Item: GraphItem

    func retrieve(_ inputs: StageInputs, in context: StageContext) async throws(StageFailure) -> [Item]
}

extension SourceStage {
    package static var role: StageRole { .source }
}

/// Makes one pool of several, saying of every item whether it was kept, merged or cut.
package protocol AggregateStage: Stage where NodeValue == Pool<Item> {
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
    package static var roleInputs: [InputDeclaration] { [pools.declaration] }
    package static var itemInput: String? { pools.name }
}

/// Looks at one item of a pool at a time, with facts that are worked out once.
package protocol ItemStage: Stage {
    associatedtype Item: GraphItem
    associatedtype Facts

    /// Works out once per run what every item needs; the whole pool is given so that costly tables are made once.
    func facts(
        for pool: Pool<Item>,
        _ inputs: StageInputs,
        in context: StageContext
    ) async throws(StageFailure) -> Facts
}

extension ItemStage where Facts == Void {
    package func facts(for pool: Pool<Item>, _ inputs: StageInputs, in context: StageContext) {}
}

extension ItemStage where Facts: InputFacts {
    package func facts(
        for pool: Pool<Item>,
        _ inputs: StageInputs,
        in context: StageContext
    ) throws(StageFailure) -> Facts {
        try inputs.value(InputPort<Facts>(Facts.input))
    }
}

/// The value of an input that is all that a stage's items need: a stage with these facts says no more of them.
package protocol InputFacts: Sendable {
    static var input: String { get }
}

/// Keeps an item or drops it with a reason.
package protocol FilterStage: ItemStage where NodeValue == Pool<Item> {
    associatedtype Item
    associatedtype Facts

    func verdict(on item: Item, given facts: Facts) throws(StageFailure) -> FilterVerdict
}

extension FilterStage {
    package static var role: StageRole { .filter }
    /// The input every filter has.
    package static var pool: InputPort<Pool<Item>> { InputPort("pool") }
    package static var roleInputs: [InputDeclaration] { [pool.declaration] }
    package static var itemInput: String? { pool.name }
}

/// Gives each item a contribution or none; a value that is not finite counts as none and is traced.
package protocol ScoreStage: ItemStage where NodeValue == ScoreColumn {
    associatedtype Item
    associatedtype Facts

    func contribution(of item: Item, given facts: Facts) throws(StageFailure) -> Contribution?
}

extension ScoreStage {
    package static var role: StageRole { .scorer }
    /// The input every scorer has.
    package static var pool: InputPort<Pool<Item>> { InputPort("pool") }
    package static var roleInputs: [InputDeclaration] { [pool.declaration] }
}

/// Keeps a part of a pool by what some scorers said; every other item is cut with a reason.
package protocol ShortlistStage: Stage where NodeValue == Pool<Item> {
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
    package static var roleInputs: [InputDeclaration] { [pool.declaration, columns.declaration] }
    package static var itemInput: String? { pool.name }
}

/// Makes one total of the scorers' contributions; the parts must add up to the score.
package protocol CombineStage: Stage where NodeValue == Ranking<Item> {
    associatedtype Item: GraphItem
    associatedtype Facts

    /// Works out once per run what every total needs.
    func facts(from columns: [ScoreColumn], _ inputs: StageInputs) throws(StageFailure) -> Facts
    func total(of item: Item, from columns: [ScoreColumn], given facts: Facts) throws(StageFailure) -> Total
}

extension CombineStage {
    package static var role: StageRole { .combiner }
    package static var pool: InputPort<Pool<Item>> { InputPort("pool") }
    package static var columns: ManyPort<ScoreColumn> { ManyPort("scores") }
    package static var roleInputs: [InputDeclaration] { [pool.declaration, columns.declaration] }
    package static var itemInput: String? { pool.name }
}

/// Chooses a set; selected, reserve and rest are disjoint and together everything that was ranked.
package protocol SelectStage: Stage where NodeValue == Selection<Item> {
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
    package static var roleInputs: [InputDeclaration] { [ranking.declaration] }
    package static var itemInput: String? { ranking.name }
}

/// Asks the outside whether what was selected stands, and refills from the reserve.
package protocol CheckStage: Stage where NodeValue == CheckedSelection<Item> {
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
    package static var roleInputs: [InputDeclaration] { [selection.declaration] }
    package static var itemInput: String? { selection.name }
}

/// Writes the result; the only role that may, and doing it twice must be the same as once.
package protocol SinkStage: Stage where NodeValue == Receipt {
    associatedtype Receipt: Sendable

    func write(_ inputs: StageInputs, in context: StageContext) async throws(StageFailure) -> Receipt
}

extension SinkStage {
    package static var role: StageRole { .sink }
}
