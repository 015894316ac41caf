/// One setting with its value and the layer that won.
struct Setting: Sendable, Equatable {
    let name: FlagName
    /// Nil when nothing set it; the meaning of that is the flag's default text.
    let value: String?
    let layer: SettingLayer
    /// The flag, variable or file that set it; empty for a default.
    let source: String
}
