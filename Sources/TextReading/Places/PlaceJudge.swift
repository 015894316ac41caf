package import KnotDomain
package import TextEncoding

/// Tells a neighbouring town from a namesake and from a far city.
package struct PlaceJudge: Sendable {
    private let home: Place?
    private let homeTown: Gazetteer.Town?
    private let homeCity: String
    private let homeState: Region
    /// Towns that hints speak of well may be farther away.
    private let hints: [TokenizedText]
    private let nearKilometres: Double
    private let gazetteer: Gazetteer

    /// How much farther a town may be that a hint names.
    private static let namedFactor = 3.0

    package init(home: Place?, hints: [TokenizedText], nearKilometres: Double, gazetteer: Gazetteer = .shared) {
        self.home = home
        self.gazetteer = gazetteer
        self.nearKilometres = nearKilometres
        homeTown = home.flatMap(gazetteer.town)
        homeCity = Gazetteer.folded(home?.city ?? "")
        homeState = Self.region(home, homeTown, in: home)
        self.hints = hints
    }

    /// Country first, then region, then city: what is missing farther down hides nothing that differs above it.
    package func verdict(on place: Place?) -> PlaceVerdict {
        guard let home, let place else { return .unknown }
        if let there = place.country, let here = home.country, Gazetteer.country(there) != Gazetteer.country(here) {
            return .elsewhere("another country")
        }
        let city = place.city.map(Gazetteer.folded) ?? ""
        let town = gazetteer.town(place)
        if !city.isEmpty, city == homeCity { return verdict(onNamesake: place, town) }
        // Nobody wrote both countries, but a town can tell where it lies.
        if let there = place.country ?? town?.country, let here = home.country ?? homeTown?.country,
            Gazetteer.country(there) != Gazetteer.country(here)
        {
            return .elsewhere("another country")
        }
        let state = Self.region(place, town, in: home)
        guard !city.isEmpty, !homeCity.isEmpty else {
            return state.isApart(from: homeState) ? .elsewhere("another region") : .unknown
        }
        if let from = homeTown, let to = town {
            // One town, written in two ways.
            if from == to { return .here }
            let distance = Gazetteer.kilometres(from, to)
            let reach = isNamed(place) ? nearKilometres * Self.namedFactor : nearKilometres
            return distance <= reach ? .near(distance) : .elsewhere("\(Int(distance.rounded())) km away")
        }
        if !state.code.isEmpty, state.code == homeState.code { return .near(nil) }
        if isNamed(place) { return .named }
        return state.isApart(from: homeState) ? .elsewhere("another region") : .unknown
    }

    /// A town of home's own name: home, its neighbour across a border, or one that only shares the name.
    private func verdict(onNamesake place: Place, _ town: Gazetteer.Town?) -> PlaceVerdict {
        let namesake = PlaceVerdict.elsewhere("a namesake in \(place.state ?? "another region")")
        // Only what is written counts here: a namesake at home may be too small for the gazetteer.
        let region = Self.region(place, nil, in: home)
        guard let from = homeTown, let to = town, from != to else {
            if region.isApart(from: homeState) { return namesake }
            // A region that is named after the town is the town's own, and a nation or province holds counties.
            let isSure =
                Regions.mayBeOne(region.code, homeState.code)
                || [region.code, homeState.code].contains { Regions.holds($0, homeCity) }
                || region.isKnown != homeState.isKnown && Regions.holdOthers(in: place.country ?? home?.country)
            return isSure ? .here : .unknown
        }
        let distance = Gazetteer.kilometres(from, to)
        return distance <= nearKilometres ? .near(distance) : namesake
    }

    private func isNamed(_ place: Place) -> Bool {
        guard let city = place.city.map({ Phrase($0) }) else { return false }
        return hints.contains { $0.contains(city) }
    }

    /// A region by its one spelling, empty where nobody wrote it, and whether it is one of a known list.
    private struct Region {
        let code: String
        let isKnown: Bool

        /// Of two regions that are not both of known lists one may be the other's in other words, or hold it.
        func isApart(from other: Region) -> Bool { isKnown && other.isKnown && code != other.code }
    }

    /// The region as it is written, else the American state of the town; other regions are written in too many ways.
    private static func region(_ place: Place?, _ town: Gazetteer.Town?, in home: Place?) -> Region {
        let country = (place?.country ?? home?.country).map(Gazetteer.country)
        let written = place?.state.map { Regions.code(of: Gazetteer.folded($0), in: country) } ?? ""
        if written.isEmpty, let town, Regions.isState(town) { return Region(code: town.region, isKnown: true) }
        return Region(code: written, isKnown: Regions.isKnown(written, in: country))
    }
}

/// Where something is, seen from where the couple lives.
package enum PlaceVerdict: Sendable, Hashable {
    case here
    /// Another town that can be reached: so many kilometres away, or nil where only the region is known to be the same.
    case near(Double?)
    /// A hint names it, and how far it is nobody knows.
    case named
    case unknown
    /// A namesake, another country, or simply too far.
    case elsewhere(String)
}
