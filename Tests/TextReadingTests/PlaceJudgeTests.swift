import KnotDomain
import Testing
import TextEncoding

@testable import TextReading

@Suite struct PlaceJudgeTests {
    private func place(_ city: String?, _ state: String? = nil, _ country: String? = nil) -> Place {
        Place(city: city, state: state, country: country)
    }

    private func verdict(
        from home: Place?,
        on other: Place?,
        hints: [String] = [],
        near: Double = 50
    ) -> PlaceVerdict {
        PlaceJudge(home: home, hints: hints.map { TokenizedText($0) }, nearKilometres: near).verdict(on: other)
    }

    private func isNear(_ verdict: PlaceVerdict) -> Bool { if case .near = verdict { true } else { false } }
    private func isElsewhere(_ verdict: PlaceVerdict) -> Bool { if case .elsewhere = verdict { true } else { false } }

    @Test func `a place that nobody knows is unknown, and never elsewhere`() {
        let home = place("Lyon", nil, "FR")
        #expect(verdict(from: home, on: nil) == .unknown)
        #expect(verdict(from: home, on: place(nil, nil, "FR")) == .unknown)
        #expect(verdict(from: home, on: place("   ", nil, "FR")) == .unknown)
        #expect(verdict(from: nil, on: home) == .unknown)
        #expect(verdict(from: place(nil), on: home) == .unknown)
    }

    @Test func `the same town is here however it is written`() {
        #expect(verdict(from: place("Zürich", nil, "CH"), on: place("zurich", nil, "CH")) == .here)
        #expect(verdict(from: place("Austin", "TX", "US"), on: place("AUSTIN", "Texas", "US")) == .here)
        #expect(verdict(from: place("Austin", "TX", "US"), on: place("Austin", nil, "US")) == .here)
    }

    @Test(arguments: [
        ("New York", "New York City", "US"), ("Cologne", "Köln", "DE"), ("St. Paul", "Saint Paul", "US"),
        ("Seville", "Sevilla", "ES"), ("Kiev", "Kyiv", "UA"), ("Wien", "Vienna", "AT"), ("The Hague", "Den Haag", "NL"),
    ])
    func `two names of one town are one town`(first: String, second: String, country: String) {
        #expect(verdict(from: place(first, nil, country), on: place(second, nil, country)) == .here)
        #expect(verdict(from: place(second, nil, country), on: place(first, nil, country)) == .here)
    }

    @Test(arguments: [
        ("Portland", "OR", "Portland", "ME"), ("Springfield", "IL", "Springfield", "MA"),
        ("Columbus", "OH", "Columbus", "GA"), ("Aurora", "CO", "Aurora", "IL"),
    ])
    func `a namesake in another region is elsewhere`(city: String, home: String, other: String, there: String) {
        #expect(isElsewhere(verdict(from: place(city, home, "US"), on: place(other, there, "US"))))
    }

    @Test func `another country is elsewhere, also with the same name`() {
        #expect(isElsewhere(verdict(from: place("Birmingham", nil, "GB"), on: place("Birmingham", "AL", "US"))))
        #expect(isElsewhere(verdict(from: place("London", nil, "GB"), on: place("Paris", nil, "FR"))))
    }

    /// Country first, then region, then city: nothing that is missing or unmapped hides a country that differs.
    @Test func `a country that is known to differ is elsewhere, whatever else is missing or unknown`() {
        let cities: [String?] = [nil, "", "  ", "Macon", "Tokyo", "Little Quarrel"]
        let states: [String?] = [nil, "", "GA", "Georgia", "Kanto"]
        let pairs: [(home: String, there: String)] = [("US", "JP"), ("JP", "US"), ("GB", "IE"), ("FR", "BE")]
        for pair in pairs {
            for homeCity in cities {
                for homeState in states {
                    for city in cities {
                        for state in states {
                            let verdict = verdict(
                                from: place(homeCity, homeState, pair.home),
                                on: place(city, state, pair.there),
                                hints: ["Tokyo in spring", "that trip to Little Quarrel, or Macon"]
                            )
                            #expect(isElsewhere(verdict), "\(pair), \(homeCity ?? "-"), \(city ?? "-")")
                        }
                    }
                }
            }
        }
    }

    @Test func `a town that can only be in another country is elsewhere, also where nobody wrote its country`() {
        #expect(isElsewhere(verdict(from: place("Little Quarrel", "GA", "US"), on: place("Yokohama"))))
        #expect(isElsewhere(verdict(from: place("Yokohama"), on: place(nil, nil, "US"))))
        #expect(isElsewhere(verdict(from: place(nil, nil, "US"), on: place("Yokohama"))))
        // Its namesake at home may well be meant.
        #expect(verdict(from: place("Yokohama", "GA", "US"), on: place("Yokohama")) == .here)
    }

    @Test func `another state without a city is elsewhere, the same one is unknown`() {
        let home = place("Macon", "GA", "US")
        #expect(isElsewhere(verdict(from: home, on: place(nil, "California", "US"))))
        #expect(verdict(from: home, on: place(nil, "Georgia", "US")) == .unknown)
        #expect(verdict(from: place("Munich", "Bavaria", "DE"), on: place(nil, "Bayern", "DE")) == .unknown)
    }

    @Test func `one country written with two codes is one country`() {
        #expect(verdict(from: place("London", nil, "GB"), on: place("London", nil, "UK")) == .here)
        #expect(verdict(from: place("Athens", nil, "EL"), on: place("Athens", nil, "GR")) == .here)
    }

    @Test(arguments: [
        ("Oakland", "CA", "San Francisco", "CA"), ("Cambridge", "MA", "Boston", "MA"),
        ("Tacoma", "WA", "Seattle", "WA"),
        ("Jersey City", "NJ", "New York", "NY"), ("Fort Worth", "TX", "Dallas", "TX"),
    ])
    func `a neighbouring town is near, in both directions and across a region's border`(
        city: String,
        state: String,
        other: String,
        there: String
    ) {
        let pair = (place(city, state, "US"), place(other, there, "US"))
        #expect(isNear(verdict(from: pair.0, on: pair.1)))
        #expect(isNear(verdict(from: pair.1, on: pair.0)))
    }

    @Test(arguments: [
        ("San Francisco", "CA", "Los Angeles", "CA"), ("Dallas", "TX", "Houston", "TX"),
        ("Philadelphia", "PA", "Pittsburgh", "PA"),
    ])
    func `a far city of the same region is elsewhere`(city: String, state: String, other: String, there: String) {
        #expect(isElsewhere(verdict(from: place(city, state, "US"), on: place(other, there, "US"))))
    }

    @Test func `a town nobody mapped is near only in a region that is known to be the same, or when a hint names it`() {
        let home = place("Denver", "CO", "US")
        #expect(isNear(verdict(from: home, on: place("Little Quarrel", "CO", "US"))))
        #expect(isElsewhere(verdict(from: home, on: place("Little Quarrel", "UT", "US"))))
        let hints = ["She keeps talking of the springs at Little Quarrel"]
        #expect(verdict(from: home, on: place("Little Quarrel", "UT", "US"), hints: hints) == .named)
        #expect(verdict(from: home, on: place("Little Quarrel", "CO", "US"), hints: hints) == .near(nil))
    }

    @Test func `a town nobody mapped is of unknown distance where a region is not known`() {
        #expect(verdict(from: place("Lyon", nil, "FR"), on: place("Little Quarrel", nil, "FR")) == .unknown)
        #expect(verdict(from: place("Denver", "CO", "US"), on: place("Little Quarrel", nil, "US")) == .unknown)
        #expect(verdict(from: place("Little Quarrel", nil, "US"), on: place("Small Mercy", "TX", "US")) == .unknown)
        #expect(verdict(from: place("London", nil, "GB"), on: place("Little Quarrel", "Kent", "GB")) == .unknown)
    }

    @Test func `the state of a town that only one state has is known, also where nobody wrote it`() {
        let home = place("Chicago", nil, "US")
        #expect(isElsewhere(verdict(from: home, on: place("Talkeetna", "AK", "US"))))
        #expect(isElsewhere(verdict(from: home, on: place(nil, "Hawaii", "US"))))
        #expect(isElsewhere(verdict(from: home, on: place("Chicago", "Texas", "US"))))
        #expect(verdict(from: home, on: place("Chicago", "IL", "US")) == .here)
        #expect(verdict(from: home, on: place("Little Quarrel", "IL", "US")) == .near(nil))
        #expect(isElsewhere(verdict(from: place("Little Quarrel", "AK", "US"), on: home)))
        // There is a Portland in more than one state.
        #expect(verdict(from: place("Portland", nil, "US"), on: place("Little Quarrel", "ME", "US")) == .unknown)
    }

    @Test(arguments: [
        ("Kansas City", "MO", "KS"), ("Texarkana", "TX", "AR"), ("Bristol", "VA", "TN"),
    ])
    func `a namesake across a border is a neighbour`(city: String, state: String, other: String) {
        let pair = (place(city, state, "US"), place(city, other, "US"))
        #expect(isNear(verdict(from: pair.0, on: pair.1)))
        #expect(isNear(verdict(from: pair.1, on: pair.0)))
    }

    @Test func `a hint that names home brings no namesake nearer`() {
        let pair = (place("Springfield", "IL", "US"), place("Springfield", "MO", "US"))
        #expect(isElsewhere(verdict(from: pair.0, on: pair.1, hints: ["Anything in Springfield"], near: 200)))
    }

    @Test func `a town that a hint names may be farther, but not anywhere`() {
        let home = place("Dallas", "TX", "US")
        let waco = place("Waco", "TX", "US")
        #expect(isElsewhere(verdict(from: home, on: waco)))
        #expect(isNear(verdict(from: home, on: waco, hints: ["We should see Waco again"])))
        #expect(isElsewhere(verdict(from: home, on: place("El Paso", "TX", "US"), hints: ["El Paso in spring"])))
    }

    @Test(arguments: [
        ("Leeds", "England", "West Yorkshire", "GB"), ("Cardiff", "South Glamorgan", "Wales", "GB"),
        ("Halifax", "Nova Scotia", "NS", "CA"), ("Québec", "QC", "Québec", "CA"), ("Hobart", "Tasmania", "TAS", "AU"),
        ("Kobe", "Hyōgo", "兵庫県", "JP"), ("Little Quarrel", "Kent", "England", "GB"),
        ("Little Quarrel", "Manitoba", "MB", "CA"), ("Little Quarrel", "VIC", "Victoria", "AU"),
        ("Little Quarrel", "JAL", "Jalisco", "MX"), ("Little Quarrel", "Bavaria", "Bayern", "DE"),
    ])
    func `a town is here in whatever way its region is written`(
        city: String,
        home: String,
        other: String,
        country: String
    ) {
        let pair = (place(city, home, country), place(city, other, country))
        #expect(verdict(from: pair.0, on: pair.1) == .here)
        #expect(verdict(from: pair.1, on: pair.0) == .here)
    }

    @Test(arguments: [
        ("Little Quarrel", "Ontario", "BC", "CA"), ("Little Quarrel", "NSW", "Queensland", "AU"),
        ("Little Quarrel", "Wales", "Scotland", "GB"), ("Perth", "WA", "Tasmania", "AU"),
        ("London", "ON", "British Columbia", "CA"),
    ])
    func `a namesake is elsewhere where both regions are known ones of a country`(
        city: String,
        home: String,
        other: String,
        country: String
    ) {
        #expect(isElsewhere(verdict(from: place(city, home, country), on: place(city, other, country))))
    }

    @Test(arguments: [
        ("Cardiff", "Wales", "Vale of Glamorgan", "GB"), ("Kobe", "Hyōgo", "兵庫県", "JP"),
        ("Munich", "Bavaria", "Oberbayern", "DE"), ("Calgary", "Alberta", "Rocky View County", "CA"),
        ("Little Quarrel", "Fife", "Perthshire", "GB"),
    ])
    func `an unmapped town whose region is written in a way of its own is unknown`(
        city: String,
        home: String,
        other: String,
        country: String
    ) {
        let pair = (place(city, home, country), place("Small Mercy", other, country))
        #expect(verdict(from: pair.0, on: pair.1) == .unknown)
        #expect(verdict(from: pair.1, on: pair.0) == .unknown)
    }

    @Test func `an unmapped town of another known region is elsewhere, and of the same one near, in any spelling`() {
        let home = place("Calgary", "Alberta", "CA")
        #expect(isElsewhere(verdict(from: home, on: place("Small Mercy", "QC", "CA"))))
        #expect(verdict(from: home, on: place("Small Mercy", "AB", "CA")) == .near(nil))
        #expect(isElsewhere(verdict(from: home, on: place(nil, "Manitoba", "CA"))))
        #expect(isElsewhere(verdict(from: place("Darwin", "NT", "AU"), on: place("Small Mercy", "Victoria", "AU"))))
    }

    @Test func `a town is where the gazetteer has it also beside a region that the gazetteer does not know`() {
        let home = place("Leeds", "West Yorkshire", "GB")
        #expect(isNear(verdict(from: home, on: place("Bradford", "England", "GB"))))
        #expect(isElsewhere(verdict(from: home, on: place("London", "Greater London", "GB"))))
        #expect(Gazetteer.shared.town(place("Leeds", "Scotland", "GB")) == nil)
        #expect(Gazetteer.shared.town(place("Austin", "Travis County", "US")) == nil)
    }

    @Test func `distances are those of the globe`() throws {
        let gazetteer = Gazetteer.shared
        let london = try #require(gazetteer.town(place("London", nil, "GB")))
        let paris = try #require(gazetteer.town(place("Paris", nil, "FR")))
        // 344 km by any atlas; towns are kept to a hundredth of a degree.
        #expect(abs(Gazetteer.kilometres(london, paris) - 344) < 4)
        #expect(Gazetteer.kilometres(london, london) == 0)
        #expect(gazetteer.town(place("Nowhere-on-Sea", nil, "GB")) == nil)
        #expect(gazetteer.town(place(nil)) == nil)
    }

    @Test(arguments: [
        ("Springfield", "IL", "Springfield", "Mass.", "US"), ("Springfield", "Ill.", "Springfield", "Ore.", "US"),
        ("San Juan", "TX", "San Juan", "PR", "US"),
    ])
    func `a region in its customary short form is the region`(
        city: String,
        home: String,
        other: String,
        there: String,
        country: String
    ) {
        #expect(isElsewhere(verdict(from: place(city, home, country), on: place(other, there, country))))
    }

    @Test(arguments: [
        ("Aurangabad", "Maharashtra", "Bihar", "IN"), ("Alcalá", "Madrid", "Sevilla", "ES"),
        ("Fuchu", "Tokyo", "Hiroshima", "JP"), ("Springfield", "IL", "Sangamon County", "US"),
    ])
    func `of a namesake in a region that nobody can place nothing is claimed`(
        city: String,
        home: String,
        there: String,
        country: String
    ) {
        #expect(verdict(from: place(city, home, country), on: place(city, there, country)) != .here)
    }

    @Test(arguments: [
        ("London", "England", "Greater London", "GB"), ("Edinburgh", "Scotland", "City of Edinburgh", "GB"),
        ("Oaxaca", "OAX", "Oaxaca", "MX"), ("Sapporo", "Hokkaidō", "北海道", "JP"),
    ])
    func `a region that is named after the town, short or in another script is the town's own`(
        city: String,
        home: String,
        there: String,
        country: String
    ) {
        #expect(verdict(from: place(city, home, country), on: place(city, there, country)) == .here)
    }
}
