/// Which vector kernels a run uses.
enum KernelChoice: String, Sendable, CaseIterable {
    /// The fastest that this machine has.
    case auto
    case scalar
}
