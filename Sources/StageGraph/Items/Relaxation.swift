/// A rule that had to give way so that anything could be chosen.
package struct Relaxation: Sendable, Hashable {
    package let rule: String
    package let detail: String

    package init(rule: String, detail: String) {
        self.rule = rule
        self.detail = detail
    }
}
