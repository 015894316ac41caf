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
        al: alabama|ak: alaska|az: arizona|ar: arkansas|ca: california|co: colorado|ct: connecticut|de: delaware
        fl: florida|ga: georgia|hi: hawaii|id: idaho|il: illinois|in: indiana|ia: iowa|ks: kansas|ky: kentucky
        la: louisiana|me: maine|md: maryland|ma: massachusetts|mi: michigan|mn: minnesota|ms: mississippi|mo: missouri
        mt: montana|ne: nebraska|nv: nevada|nh: new hampshire|nj: new jersey|nm: new mexico|ny: new york
        nc: north carolina|nd: north dakota|oh: ohio|ok: oklahoma|or: oregon|pa: pennsylvania|ri: rhode island
        sc: south carolina|sd: south dakota|tn: tennessee|tx: texas|ut: utah|vt: vermont|va: virginia|wa: washington
        wv: west virginia|wi: wisconsin|wy: wyoming|dc: district of columbia
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
