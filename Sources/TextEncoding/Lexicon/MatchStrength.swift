/// How much a word of the lexicon says about its subject.
package enum MatchStrength: String, Sendable, Hashable, Comparable, CaseIterable {
    /// Related: supports a liked subject, never rejects for a disliked one.
    case weak
    /// The phrase alone means the subject, enough to reject for a disliked one.
    case strong

    package static func < (left: Self, right: Self) -> Bool { left == .weak && right == .strong }
}
