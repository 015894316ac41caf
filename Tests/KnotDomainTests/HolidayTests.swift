import KnotDomain
import Testing

@Suite struct HolidayTests {
    @Test(arguments: [
        "Grandmother's birthday", "Grandmother's Day", "Grandmothers' Day", "Stepmother's Day", "mother",
        "Mother's birthday",
        "Christmas Eve", "Christmasy dinner", "Orthodox Christmas", "Easter Monday", "Eastern Star day",
        "New Year's Day",
        "New Year", "Thanksgiving birthday", "Day after Thanksgiving", "Valentina's day", "Halloweens", "Eid",
        "Passover",
        "", "   ", "Mother's birthday on Mother's Day",
    ])
    func `is not found in a name that means another day`(name: String) {
        #expect(Holiday(named: name) == nil)
    }

    @Test(arguments: [
        ("Valentine's Day", Holiday.valentinesDay), ("valentine’s day", .valentinesDay), ("MOTHER'S DAY", .mothersDay),
        ("Mothers' Day", .mothersDay), ("Mothering Sunday", .mothersDay), ("Our first Mother’s Day", .mothersDay),
        ("Father\u{2019}s  Day", .fathersDay), ("Independence Day", .independenceDay),
        ("4th of July", .independenceDay),
        ("Halloween", .halloween), ("Hallowe'en", .halloween), ("Thanksgiving dinner", .thanksgiving),
        ("Canadian Thanksgiving", .thanksgiving), ("Christmas", .christmas), ("Xmas 2026", .christmas),
        ("New Year's Eve", .newYearsEve), ("NYE", .newYearsEve), ("Easter Sunday", .easter), ("Chanukah", .hanukkah),
        ("Deepavali", .diwali), ("Chinese New Year", .lunarNewYear), ("Eid al-Fitr", .eidAlFitr),
        ("Eid ul-Adha", .eidAlAdha),
    ])
    func `is known by its whole phrase`(name: String, holiday: Holiday) {
        #expect(Holiday(named: name) == holiday)
    }

    @Test func `is known by its own name`() {
        for holiday in Holiday.allCases { #expect(Holiday(named: holiday.rawValue) == holiday) }
    }

    @Test func `keeps each table in order, one day a year, and says where it is from`() {
        for table in HolidayTable.all {
            #expect(!table.source.isEmpty)
            #expect(table.days == table.days.sorted())
            #expect(table.days.map(\.year) == Array(2024...table.validThrough))
        }
    }

    @Test func `proposes tiers by kind and name`() {
        #expect(OccasionTier.proposed(for: .birthday, name: "x") == .majorMilestone)
        #expect(OccasionTier.proposed(for: .anniversary, name: "x") == .majorMilestone)
        #expect(OccasionTier.proposed(for: .holiday, name: "valentine’s day") == .majorMilestone)
        #expect(OccasionTier.proposed(for: .holiday, name: "Christmas") == .majorMilestone)
        #expect(OccasionTier.proposed(for: .holiday, name: "Christmas Eve") == .minorOccasion)
        #expect(OccasionTier.proposed(for: .holiday, name: "Mother's Day") == .minorOccasion)
        #expect(OccasionTier.proposed(for: .custom, name: "Christmas") == nil)
    }
}
