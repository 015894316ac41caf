/// Why a contender is in a race, where a report asks for it.
enum ContenderRole: String {
    /// What a caller gets who names nothing.
    case `default`
    /// The widest kernels without byte codes: all that a CPU without VNNI has.
    case floats
}
