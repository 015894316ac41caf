/// Regions that a country's people write in few, known ways: by a name or by a code.
///
/// Other regions are written as counties, councils or districts, in several languages and by the codes of several atlases:
/// of two such names nobody can tell whether they are two regions.
enum Regions {
    /// A region's one spelling, of its folded name, which stands for itself where it is not known.
    ///
    /// Where no country is written it is read as an American state.
    static func code(of folded: String, in country: String?) -> String {
        known[country ?? unitedStates]?[folded] ?? folded
    }

    /// Whether a code is one of a country's known regions.
    static func isKnown(_ code: String, in country: String?) -> Bool {
        codes[country ?? unitedStates]?.contains(code) ?? false
    }

    /// Whether a town may lie in what is written as its region, folded.
    ///
    /// Where the data keeps a country's towns apart by regions, another one of these rules it out, and in the United States
    /// every other name does.
    static func mayHold(_ town: Gazetteer.Town, _ written: String) -> Bool {
        let code = code(of: written, in: town.country)
        return town.region.isEmpty || town.region == code
            || town.country != unitedStates && !isKnown(code, in: town.country)
    }

    /// Whether a country's known regions are divided into others that people write in their place.
    static func holdOthers(in country: String?) -> Bool {
        country.map(Gazetteer.country) ?? unitedStates != unitedStates
    }

    /// Whether two names of regions may be of one: one holds the other's words or is short for it, they begin alike as in two
    /// languages, or they are written in two scripts.
    static func mayBeOne(_ left: String, _ right: String) -> Bool {
        if left == right { return true }
        let (short, long) = left.utf8.count <= right.utf8.count ? (left, right) : (right, left)
        if short.isEmpty || holds(long, short) { return true }
        if short.utf8.allSatisfy({ $0 < 0x80 }) != long.utf8.allSatisfy({ $0 < 0x80 }) { return true }
        return short.prefix(2) == long.prefix(2) || short.count <= 4 && isWithin(short, long)
    }

    /// Whether a folded text has all words of another, side by side.
    static func holds(_ text: String, _ words: String) -> Bool { " \(text) ".contains(" \(words) ") }

    /// Whether the letters of a code stand in a name in their order.
    private static func isWithin(_ code: String, _ name: String) -> Bool {
        guard code.first == name.first else { return false }
        var rest = name[...]
        return code.allSatisfy { letter in
            guard let place = rest.firstIndex(of: letter) else { return false }
            rest = rest[rest.index(after: place)...]
            return true
        }
    }

    /// Whether a town's region is an American state.
    static func isState(_ town: Gazetteer.Town) -> Bool {
        town.country == unitedStates && isKnown(town.region, in: unitedStates)
    }

    private static let unitedStates = "US"

    private static let codes = known.mapValues { Set($0.values) }

    private static let known: [String: [String: String]] = [
        unitedStates: read(states), "CA": read(provinces), "AU": read(australia), "GB": read(nations),
    ]

    /// Every name of a region, and its code, by the code.
    private static func read(_ table: String) -> [String: String] {
        var found: [String: String] = [:]
        for line in table.split(whereSeparator: { $0 == "|" || $0.isNewline }) {
            let names = line.split(separator: ":").map { $0.split(separator: " ").joined(separator: " ") }
            for name in names { found[name] = names[0] }
        }
        return found
    }

    private static let states =
        """
        al: alabama: ala|ak: alaska|az: arizona: ariz|ar: arkansas: ark|ca: california: calif|co: colorado: colo
        ct: connecticut: conn|de: delaware: del|fl: florida: fla|ga: georgia|hi: hawaii|id: idaho|il: illinois: ill
        in: indiana: ind|ia: iowa|ks: kansas: kan: kans|ky: kentucky|la: louisiana|me: maine|md: maryland
        ma: massachusetts: mass|mi: michigan: mich|mn: minnesota: minn|ms: mississippi: miss|mo: missouri
        mt: montana: mont|ne: nebraska: neb|nv: nevada: nev|nh: new hampshire|nj: new jersey|nm: new mexico
        ny: new york|nc: north carolina|nd: north dakota|oh: ohio|ok: oklahoma: okla|or: oregon: ore
        pa: pennsylvania: penn|ri: rhode island|sc: south carolina|sd: south dakota|tn: tennessee: tenn|tx: texas: tex
        ut: utah|vt: vermont|va: virginia|wa: washington: wash|wv: west virginia|wi: wisconsin: wis|wy: wyoming: wyo
        dc: district of columbia|pr: puerto rico|gu: guam|vi: virgin islands|as: american samoa
        mp: northern mariana islands
        """

    private static let provinces =
        """
        ab: alberta|bc: british columbia|mb: manitoba|nb: new brunswick|nl: newfoundland: newfoundland and labrador
        ns: nova scotia|nt: northwest territories|nu: nunavut|on: ontario|pe: pei: prince edward island|qc: quebec
        sk: saskatchewan|yt: yukon
        """

    private static let australia =
        """
        act: australian capital territory|nsw: new south wales|nt: northern territory|qld: queensland
        sa: south australia|tas: tasmania|vic: victoria|wa: western australia
        """

    /// The codes are the names that the data has.
    private static let nations =
        """
        england: eng: gb eng|scotland: sct: gb sct|wales: wls: cymru: gb wls
        northern ireland: nir: gb nir
        """
}
