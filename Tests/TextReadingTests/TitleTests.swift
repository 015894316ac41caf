import KnotDomain
import Testing
import TextEncoding

@testable import TextReading

@Suite("A title") struct TitleTests {
    @Test(arguments: [
        ("Not Your Average Friday Night", [Weekday.friday]), ("No-Bake Friday Workshop", [.friday]),
        ("Friday Jazz, No Cover", [.friday]), ("Fri Fish Supper", [.friday]),
        ("Pottery Fridays, closed Sundays and Mondays", [.friday]), ("Market, not on Sundays", []),
        ("Under the Tuscan Sun", []), ("Sun Salutation", []), ("Kiln Hour, Sat 10 am", [.saturday]),
    ])
    func `names the days on which something happens, and none that it takes out`(title: String, days: [Weekday]) {
        #expect(TitleDays.weekdays(in: title) == Set(days))
    }

    private func words(_ title: String) -> TitleWords {
        TitleWords(title, StemSet(contentOf: TokenizedText(title, limit: 40)), house: nil)
    }

    @Test func `has its numbers whether or not a unit is written on to them`() {
        #expect(!words("Rose Tea, 100 g").areApart(from: words("Rose Tea 100g")))
        #expect(!words("Ring, 14k Gold").areApart(from: words("Ring, 14 k Gold")))
        #expect(words("Rain Boots, Size 39").areApart(from: words("Rain Boots, Size 43")))
        #expect(words("Tablecloth 130x170").areApart(from: words("Tablecloth 130x240")))
    }
}
