import KnotDomain
import Testing

@testable import TextReading

/// Places are looked up once; that nothing was found is kept too.
@Suite("A memory of towns") struct TownMemoryTests {
    private let places = [
        Place(city: "Lyon", state: nil, country: "FR"), Place(city: "Lyon", state: nil, country: "US"),
        Place(city: nil, state: nil, country: nil), Place(city: "Nowhere", state: "X", country: "ZZ"),
    ]

    @Test func `gives again what was found first, and asks once`() {
        let memory = TownMemory()
        var asked = 0
        func find(_ place: Place) -> Gazetteer.Town? {
            asked += 1
            guard place.country == "FR" else { return nil }
            return Gazetteer.Town(name: "lyon", country: "FR", region: "", latitude: 45, longitude: 4)
        }
        let first = places.map { memory.town($0, find) }
        let second = places.map { memory.town($0, find) }
        #expect(first == second && asked == places.count)
        #expect(first.map { $0?.name } == ["lyon", nil, nil, nil])
    }

    @Test func `does not keep names that are longer than any town's`() {
        let memory = TownMemory()
        let long = Place(city: String(repeating: "long ", count: 100), state: nil, country: nil)
        var asked = 0
        for _ in 0..<2 {
            _ = memory.town(long) { _ in
                asked += 1
                return nil
            }
        }
        #expect(asked == 2)
    }
}
