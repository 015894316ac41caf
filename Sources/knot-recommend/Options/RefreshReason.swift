/// Why a person turned choices down; the raw value is what is typed.
enum RefreshReason: String, Sendable, CaseIterable {
    case tooExpensive = "too_expensive"
    case tooCheap = "too_cheap"
    case notTheirStyle = "not_their_style"
    case alreadyHaveSimilar = "already_have_similar"
    case showDifferent = "show_different"
}
