/// Why a person wants another set.
package enum RefreshReason: String, CaseIterable, Sendable, Hashable {
    case tooExpensive = "too_expensive"
    case tooCheap = "too_cheap"
    case notTheirStyle = "not_their_style"
    case alreadyHaveSimilar = "already_have_similar"
    case showDifferent = "show_different"
}
