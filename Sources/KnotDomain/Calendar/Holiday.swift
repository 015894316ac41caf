/// The holidays the product knows by name.
package enum Holiday: String, CaseIterable, Sendable, Hashable {
    case valentinesDay = "Valentine's Day"
    case mothersDay = "Mother's Day"
    case fathersDay = "Father's Day"
    case independenceDay = "Independence Day"
    case halloween = "Halloween"
    case thanksgiving = "Thanksgiving"
    case christmas = "Christmas"
    case newYearsEve = "New Year's Eve"
    case easter = "Easter"
    case hanukkah = "Hanukkah"
    case diwali = "Diwali"
    case lunarNewYear = "Lunar New Year"
    case eidAlFitr = "Eid al-Fitr"
    case eidAlAdha = "Eid al-Adha"

    /// The holiday that this name means as a whole phrase, in any case and with either apostrophe.
    package init?(named name: String) {
        guard let mention = HolidayMention(in: name) else { return nil }
        self = mention.holiday
    }

    /// Valentine's Day and Christmas are major, the others minor.
    package var tier: OccasionTier {
        switch self {
        case .valentinesDay, .christmas: .majorMilestone
        default: .minorOccasion
        }
    }
}
