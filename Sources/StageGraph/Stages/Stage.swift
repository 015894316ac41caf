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
