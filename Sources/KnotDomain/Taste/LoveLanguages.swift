/// A partner's first and second love language, always two different ones.
package struct LoveLanguages: Hashable, Sendable {
    package let primary: LoveLanguage
    package let secondary: LoveLanguage

    package init(primary: LoveLanguage, secondary: LoveLanguage) {
        self.primary = primary
        self.secondary = secondary
    }
}
