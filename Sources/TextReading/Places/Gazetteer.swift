import CGazetteer
import FoundationEssentials
package import KnotDomain
import Synchronization
import TextEncoding

#if canImport(Glibc)
import Glibc
#endif

/// Where the larger towns of the world are, so that "the next town" and "the namesake far away" can be told apart.
package struct Gazetteer: Sendable {
    /// One town as the data names it.
    package struct Town: Sendable, Equatable {
        package let name: String
        package let country: String
        /// Lower case, only where the country writes it with the town.
        package let region: String
        package let latitude: Double
        package let longitude: Double
    }

    package static let shared = Gazetteer(
        // Proof: the table is constant data of the program, so many bytes long.
        unsafe Array(UnsafeBufferPointer(start: knot_cities(), count: knot_cities_size()))
    )

    /// A record a line, sorted by the bytes of the name; a comment's `#` sorts before every name.
    private let bytes: [UInt8]
    private let memory = TownMemory()

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// A town's name without case, diacritics and punctuation, as the data spells it.
    package static func folded(_ name: String) -> String {
        Tokenizer.words(of: name, limit: 12).joined(separator: " ")
    }

    /// A country's code as the data spells it: two countries are known by a second one that is not ISO's.
    static func country(_ code: String) -> String {
        switch code.uppercased() {
        case "UK": "GB"
        case "EL": "GR"
        case let other: other
        }
    }

    /// Every town of that name or of another way to write it, in the data's order.
    package func towns(named name: String) -> [Town] {
        let folded = Self.folded(name)
        return ([folded] + TownNames.others(of: folded)).flatMap { records(of: $0) }
    }

    private func records(of folded: String) -> [Town] {
        let key = Array(folded.utf8)
        guard !key.isEmpty else { return [] }
        var place = firstRecord(notBelow: key)
        var towns: [Town] = []
        while place < bytes.count {
            let end = recordEnd(from: place)
            guard let town = town(in: place..<end), town.name.utf8.elementsEqual(key) else { break }
            towns.append(town)
            place = end + 1
        }
        return towns
    }

    /// The one town a place means, or nil when it is unknown or could be several far apart.
    package func town(_ place: Place) -> Town? { memory.town(place, found) }

    private func found(_ place: Place) -> Town? {
        guard let city = place.city else { return nil }
        var found = towns(named: city)
        if let country = place.country.map(Self.country) { found = found.filter { $0.country == country } }
        if let state = place.state.map(Self.folded), !state.isEmpty {
            found = found.filter { Regions.mayHold($0, state) }
        }
        return found.count == 1 ? found[0] : nil
    }

    /// How far a point is from a town, in kilometres.
    package static func kilometres(_ town: Town, latitude: Double, longitude: Double) -> Double {
        kilometres(town, Town(name: "", country: "", region: "", latitude: latitude, longitude: longitude))
    }

    /// Great-circle distance in kilometres.
    package static func kilometres(_ first: Town, _ second: Town) -> Double {
        let radians = Double.pi / 180
        let latitudes = (first.latitude * radians, second.latitude * radians)
        let halfLatitude = Trigonometry.sine((latitudes.1 - latitudes.0) / 2)
        let halfLongitude = Trigonometry.sine((second.longitude - first.longitude) * radians / 2)
        let chord =
            halfLatitude * halfLatitude + Trigonometry.cosine(latitudes.0) * Trigonometry.cosine(latitudes.1)
            * halfLongitude * halfLongitude
        return 2 * 6_371 * Trigonometry.arcsine(min(1, chord.squareRoot()))
    }

    // MARK: - Binary search over the text

    private static let lineEnd = UInt8(ascii: "\n")

    private func recordEnd(from start: Int) -> Int {
        bytes[start...].firstIndex(of: Self.lineEnd) ?? bytes.count
    }

    private func recordStart(at index: Int) -> Int {
        var start = index
        while start > 0, bytes[start - 1] != Self.lineEnd { start -= 1 }
        return start
    }

    private func firstRecord(notBelow key: [UInt8]) -> Int {
        var low = 0
        var high = bytes.count
        while low < high {
            let start = recordStart(at: low + (high - low) / 2)
            let end = recordEnd(from: start)
            let name = bytes[start..<end].prefix { $0 != UInt8(ascii: ",") }
            if name.lexicographicallyPrecedes(key) {
                low = min(end + 1, bytes.count)
            } else {
                high = start
            }
        }
        return low
    }

    private func town(in range: Range<Int>) -> Town? {
        let fields = bytes[range].split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
            .map { String(decoding: $0, as: UTF8.self) }
        guard fields.count == 5, let latitude = Double(fields[3]), let longitude = Double(fields[4]) else { return nil }
        return Town(
            name: fields[0],
            country: fields[1],
            region: fields[2],
            latitude: latitude / 100,
            longitude: longitude / 100
        )
    }
}

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

/// Towns that people and providers write in more ways than the gazetteer does: without "City", in another language, by an
/// older name, with "St" for "Saint".
enum TownNames {
    /// What the gazetteer may call a town that is written so; folded names both.
    static func others(of folded: String) -> [String] {
        var names = (table[folded] ?? ownScripts[folded]).map { [$0] } ?? []
        for (short, long) in [("st ", "saint "), ("ft ", "fort "), ("mt ", "mount ")] {
            if folded.hasPrefix(short) { names.append(long + folded.dropFirst(short.count)) }
            if folded.hasPrefix(long) { names.append(short + folded.dropFirst(long.count)) }
        }
        return names
    }

    private static let table: [String: String] = [
        "new york": "new york city", "nyc": "new york city", "bronx": "the bronx", "washington dc": "washington",
        "washington d c": "washington", "quebec city": "quebec", "ciudad de mexico": "mexico city",
        "cdmx": "mexico city", "cologne": "koln", "koeln": "koln", "frankfurt": "frankfurt am main",
        "frankfurt main": "frankfurt am main", "munchen": "munich", "muenchen": "munich", "nurnberg": "nuremberg",
        "nuernberg": "nuremberg", "hanover": "hannover", "brunswick": "braunschweig", "duesseldorf": "dusseldorf",
        "wien": "vienna", "zuerich": "zurich", "geneve": "geneva", "genf": "geneva", "lucerne": "luzern",
        "basle": "basel", "ghent": "gent", "bruges": "brugge", "bruxelles": "brussels", "brussel": "brussels",
        "antwerpen": "antwerp", "luik": "liege", "den haag": "the hague", "hague": "the hague",
        "kobenhavn": "copenhagen", "goteborg": "gothenburg", "praha": "prague", "warszawa": "warsaw",
        "bucuresti": "bucharest", "lisboa": "lisbon", "oporto": "porto", "seville": "sevilla",
        "saragossa": "zaragoza", "la coruna": "a coruna", "palma de mallorca": "palma", "donostia": "san sebastian",
        "bilbo": "bilbao", "roma": "rome", "milano": "milan", "firenze": "florence", "venezia": "venice",
        "napoli": "naples", "torino": "turin", "genova": "genoa", "padova": "padua", "mantova": "mantua",
        "marseilles": "marseille", "lyons": "lyon", "athina": "athens", "moskva": "moscow", "kiev": "kyiv",
        "bombay": "mumbai", "bangalore": "bengaluru", "madras": "chennai", "calcutta": "kolkata", "peking": "beijing",
        "saigon": "ho chi minh city", "rangoon": "yangon", "tel aviv yafo": "tel aviv", "tel aviv jaffa": "tel aviv",
        "la habana": "havana", "6th of october": "6th of october city", "10th of ramadan": "al ashir min ramadan",
    ]

    /// Large towns as their people write them; the data has Latin letters only.
    private static let ownScripts = Dictionary(
        [
            "東京": "tokyo", "京都": "kyoto", "大阪": "osaka", "横浜": "yokohama", "名古屋": "nagoya", "札幌": "sapporo",
            "神戸": "kobe", "福岡": "fukuoka", "広島": "hiroshima", "仙台": "sendai", "千葉": "chiba", "八王子": "hachioji",
            "奈良": "nara", "北京": "beijing", "上海": "shanghai", "广州": "guangzhou", "深圳": "shenzhen",
            "成都": "chengdu", "重庆": "chongqing", "武汉": "wuhan", "西安": "xi an", "杭州": "hangzhou", "南京": "nanjing",
            "香港": "hong kong", "九龍": "kowloon", "台北": "taipei", "臺北": "taipei", "高雄": "kaohsiung", "서울": "seoul",
            "부산": "busan", "대구": "daegu", "인천": "incheon", "москва": "moscow", "санкт-петербург": "saint petersburg",
            "київ": "kyiv", "львів": "lviv", "одеса": "odesa", "софия": "sofia", "београд": "belgrade",
            "αθήνα": "athens",
            "θεσσαλονίκη": "thessaloniki", "القاهرة": "cairo", "الرياض": "riyadh", "دبي": "dubai", "بيروت": "beirut",
            "تهران": "tehran", "ירושלים": "jerusalem", "חיפה": "haifa", "मुंबई": "mumbai", "दिल्ली": "delhi",
            "กรุงเทพ": "bangkok",
        ].map { (Gazetteer.folded($0), $1) }
    ) { first, _ in first }
}

/// The three functions a distance on a sphere needs.
enum Trigonometry {
    static func sine(_ angle: Double) -> Double { sin(angle) }
    static func cosine(_ angle: Double) -> Double { cos(angle) }
    static func arcsine(_ ratio: Double) -> Double { asin(ratio) }
}
