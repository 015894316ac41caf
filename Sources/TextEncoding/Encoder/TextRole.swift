/// What a text is to the others it is compared with; some models want a prefix that says so.
package enum TextRole: String, Sendable, CaseIterable {
    /// What is looked for.
    case query
    /// What is looked through.
    case passage
}
