import KnotDomain
import Synchronization

/// The towns that places were found to mean: a pool names few places, and many pools name the same ones.
final class TownMemory: Sendable {
    /// Beyond this many places everything is forgotten and learned again.
    private static let most = 2_048
    /// Longer names are no town's, and not worth the memory.
    private static let longestNames = 256

    private let towns = Mutex<[Place: Gazetteer.Town?]>([:])

    /// The town that was found before, or what finding it now comes to.
    func town(_ place: Place, _ find: (Place) -> Gazetteer.Town?) -> Gazetteer.Town? {
        if let known = towns.withLock({ $0[place] }) { return known }
        let found = find(place)
        let names = [place.city, place.state, place.country].reduce(0) { $0 + ($1?.utf8.count ?? 0) }
        guard names <= Self.longestNames else { return found }
        towns.withLock { towns in
            if towns.count >= Self.most { towns = [:] }
            towns[place] = .some(found)
        }
        return found
    }
}
