import KnotDomain

/// What one hint says on its own, before the other hints are heard.
struct HintDraft: Sendable {
    let hint: Hint
    let text: HintText
    let subject: HintReading.Subject
    let stance: HintReading.Stance
    var strength: Double
    var serves: [String]
    var avoid: [String]
    let limits: [String]
    /// Stems, as fingerprints, of what the hint speaks well of, or complains about.
    let topics: Set<UInt64>
    /// Stems of what it refuses outright.
    let refused: Set<UInt64>
    /// The same phrase by phrase, its head last.
    let topicPhrases: [[UInt64]]
    let refusedPhrases: [[UInt64]]
    /// Stems of other words for what it refuses.
    let relatedRefused: Set<UInt64>
    /// The conditions it names, as places in the table.
    let conditions: [Int]
    /// A remedy of a complaint was found: the thing itself is not wished for.
    let isRepair: Bool
    /// It says that a wish came true or lapsed: "finally bought", "sorted now".
    let isSettled: Bool
    /// It says that something was bought or given: a wish for just that came true.
    let isGotten: Bool
    /// It says that something is wanted again.
    let isRevival: Bool
    /// It says that something was given up.
    let isParting: Bool
    /// It says that something was done, so that nobody need plan it any more.
    let isCompletion: Bool
    var overrules: [HintID] = []
}
