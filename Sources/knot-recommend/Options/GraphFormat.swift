/// The languages `graph` writes.
enum GraphFormat: String, Sendable, CaseIterable {
    case mermaid
    case dot
}
