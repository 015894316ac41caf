/// What one hint means for choosing a gift, worked out once when it was captured.
package struct HintReading: Hashable, Sendable {
    package enum Subject: String, CaseIterable, Sendable {
        case partner
        case couple
        case user
        case other
    }

    package enum Stance: String, CaseIterable, Sendable {
        case wants
        case needs
        case likes
        case avoids
        case fact
    }

    package let hintID: HintID
    package let subject: Subject
    package let stance: Stance
    /// How strongly it should steer a gift now, 0 to 1; an overruled wish or somebody else's has 0.
    package let strength: Double
    /// Short catalogue phrases of what would serve it.
    package let serves: [String]
    /// Phrases of what it rules out.
    package let avoid: [String]
    package let overrules: [HintID]
    /// Time, place, body, diet, space.
    package let limits: [String]

    package init(
        hintID: HintID,
        subject: Subject,
        stance: Stance,
        strength: Double,
        serves: [String],
        avoid: [String],
        overrules: [HintID],
        limits: [String]
    ) {
        self.hintID = hintID
        self.subject = subject
        self.stance = stance
        self.strength = strength
        self.serves = serves
        self.avoid = avoid
        self.overrules = overrules
        self.limits = limits
    }
}
