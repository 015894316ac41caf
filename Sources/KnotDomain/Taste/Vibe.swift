/// An aesthetic a partner is drawn to.
package enum Vibe: String, CaseIterable, Sendable, Hashable {
    case quietLuxury = "quiet_luxury"
    case streetUrban = "street_urban"
    case outdoorsy
    case vintage
    case minimalist
    case bohemian
    case romantic
    case adventurous
}
