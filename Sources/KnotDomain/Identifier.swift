/// A name of one thing, typed by what it names so that two kinds cannot be mixed up.
package struct Identifier<Subject>: Hashable, Sendable, Comparable, CustomStringConvertible {
    package let text: String

    package init(_ text: String) {
        self.text = text
    }

    package static func < (left: Self, right: Self) -> Bool { left.text < right.text }
    package var description: String { text }
}

package typealias VaultID = Identifier<Vault>
package typealias UserID = Identifier<User>
package typealias HintID = Identifier<Hint>
package typealias MilestoneID = Identifier<Milestone>
package typealias CandidateID = Identifier<Candidate>

/// The person who keeps a vault; only their id is ever known here.
package enum User {}
