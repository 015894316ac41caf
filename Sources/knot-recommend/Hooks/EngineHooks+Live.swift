extension EngineHooks {
    /// The hooks of this build; a verb whose hook is missing says that it cannot do it yet and exits 69.
    static let live = EngineHooks()
}
