/// When output is coloured.
enum ColourChoice: String, Sendable, CaseIterable {
    /// On a terminal that can.
    case auto
    case always
    case never
}
