/// What one call of one node left.
struct CallResult: Sendable {
    let outcome: Result<NodeBody.Product, StageFailure>
    let pages: NodeNotebook.Pages
}
