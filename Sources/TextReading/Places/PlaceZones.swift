package import KnotDomain

/// The time zone that clocks show at a place, told by its country and region alone.
///
/// Where a region keeps several, the couple's own is taken when it is one of them, and the one most people live in else.
package enum PlaceZones {
    /// The names of the zones of a place, the most likely one first; empty where nobody can tell.
    package static func names(of place: Place) -> [String] {
        guard let country = place.country.map(Gazetteer.country) else { return [] }
        if let name = countries[country] { return [name] }
        guard let state = place.state.map(Gazetteer.folded), !state.isEmpty else { return [] }
        return regions[country]?[Regions.code(of: state, in: country)] ?? []
    }

    /// Countries with one zone, or with one for nearly everybody.
    private static let countries: [String: String] = Dictionary(
        table.split(whereSeparator: { $0 == "|" || $0.isNewline }).flatMap { line in
            let words = line.split(separator: " ").map(String.init)
            return words.dropFirst().map { ($0, words[0]) }
        }
    ) { first, _ in first }

    private static let regions: [String: [String: [String]]] = [
        "US": americas(unitedStates).merging(["hi": ["Pacific/Honolulu"]]) { first, _ in first },
        "CA": americas(canada), "AU": australia,
    ]

    /// Regions by their zones, a slash between two of a region's.
    private static func read(_ table: String, prefix: String) -> [String: [String]] {
        var found: [String: [String]] = [:]
        for line in table.split(whereSeparator: \.isNewline) {
            let parts = line.split(separator: ":").map(String.init)
            guard parts.count == 2 else { continue }
            let zones = parts[0].split(separator: "/").map { prefix + $0 }
            for region in parts[1].split(separator: ",") {
                found[region.filter { $0 != " " }] = zones
            }
        }
        return found
    }

    private static func americas(_ table: String) -> [String: [String]] { read(table, prefix: "America/") }

    private static let unitedStates =
        """
        New_York: ct, de, ga, me, md, ma, nh, nj, ny, nc, oh, pa, ri, sc, vt, va, wv, dc
        New_York/Chicago: fl, ky
        Chicago: al, ar, il, ia, la, mn, ms, mo, ok, wi
        Chicago/Denver: ks, ne, nd, sd, tx
        Chicago/New_York: tn
        New_York/Chicago: in
        Detroit/New_York/Chicago: mi
        Denver: co, mt, nm, ut, wy
        Phoenix/Denver: az
        Boise/Denver/Los_Angeles: id
        Los_Angeles: ca, nv, wa
        Los_Angeles/Boise: or
        Anchorage: ak
        """

    private static let canada =
        """
        Toronto: on, qc
        Vancouver/Edmonton: bc
        Edmonton: ab, nt
        Winnipeg: mb
        Regina: sk
        Halifax: ns, pe
        Moncton/Halifax: nb
        St_Johns: nl
        Whitehorse: yt
        """

    private static let australia = read(
        """
        Sydney: nsw, act
        Melbourne: vic
        Brisbane: qld
        Adelaide: sa
        Perth: wa
        Hobart: tas
        Darwin: nt
        """,
        prefix: "Australia/"
    )

    private static let table =
        """
        Africa/Abidjan CI|Africa/Accra GH|Africa/Addis_Ababa ET|Africa/Algiers DZ|Africa/Asmara ER|Africa/Bamako ML
        Africa/Bangui CF|Africa/Banjul GM|Africa/Bissau GW|Africa/Blantyre MW|Africa/Brazzaville CG|Africa/Bujumbura BI
        Africa/Cairo EG|Africa/Casablanca MA|Africa/Conakry GN|Africa/Dakar SN|Africa/Dar_es_Salaam TZ
        Africa/Djibouti DJ|Africa/Douala CM|Africa/El_Aaiun EH|Africa/Freetown SL|Africa/Gaborone BW|Africa/Harare ZW
        Africa/Johannesburg ZA|Africa/Juba SS|Africa/Kampala UG|Africa/Khartoum SD|Africa/Kigali RW|Africa/Lagos NG
        Africa/Libreville GA|Africa/Lome TG|Africa/Luanda AO|Africa/Lusaka ZM|Africa/Malabo GQ|Africa/Maputo MZ
        Africa/Maseru LS|Africa/Mbabane SZ|Africa/Mogadishu SO|Africa/Monrovia LR|Africa/Nairobi KE|Africa/Ndjamena TD
        Africa/Niamey NE|Africa/Nouakchott MR|Africa/Ouagadougou BF|Africa/Porto-Novo BJ|Africa/Sao_Tome ST
        Africa/Tripoli LY|Africa/Tunis TN|Africa/Windhoek NA|America/Anguilla AI|America/Antigua AG
        America/Argentina/Buenos_Aires AR|America/Aruba AW|America/Asuncion PY|America/Barbados BB|America/Belize BZ
        America/Bogota CO|America/Caracas VE|America/Cayenne GF|America/Cayman KY|America/Costa_Rica CR
        America/Curacao CW|America/Dominica DM|America/El_Salvador SV|America/Grand_Turk TC|America/Grenada GD
        America/Guadeloupe GP|America/Guatemala GT|America/Guyana GY|America/Havana CU|America/Jamaica JM
        America/Kralendijk BQ|America/La_Paz BO|America/Lima PE|America/Lower_Princes SX|America/Managua NI
        America/Marigot MF|America/Martinique MQ|America/Miquelon PM|America/Montevideo UY|America/Montserrat MS
        America/Nassau BS|America/Panama PA|America/Paramaribo SR|America/Port-au-Prince HT|America/Port_of_Spain TT
        America/Puerto_Rico PR|America/Santo_Domingo DO|America/St_Barthelemy BL|America/St_Kitts KN|America/St_Lucia LC
        America/St_Thomas VI|America/St_Vincent VC|America/Tegucigalpa HN|America/Tortola VG|Arctic/Longyearbyen SJ
        Asia/Aden YE|Asia/Amman JO|Asia/Ashgabat TM|Asia/Baghdad IQ|Asia/Bahrain BH|Asia/Baku AZ|Asia/Bangkok TH
        Asia/Beirut LB|Asia/Bishkek KG|Asia/Brunei BN|Asia/Colombo LK|Asia/Damascus SY|Asia/Dhaka BD|Asia/Dili TL
        Asia/Dubai AE|Asia/Dushanbe TJ|Asia/Gaza PS|Asia/Ho_Chi_Minh VN|Asia/Hong_Kong HK|Asia/Jerusalem IL
        Asia/Kabul AF|Asia/Karachi PK|Asia/Kathmandu NP|Asia/Kolkata IN|Asia/Kuala_Lumpur MY|Asia/Kuwait KW
        Asia/Macau MO|Asia/Manila PH|Asia/Muscat OM|Asia/Nicosia CY|Asia/Phnom_Penh KH|Asia/Pyongyang KP|Asia/Qatar QA
        Asia/Riyadh SA|Asia/Seoul KR|Asia/Shanghai CN|Asia/Singapore SG|Asia/Taipei TW|Asia/Tashkent UZ|Asia/Tbilisi GE
        Asia/Tehran IR|Asia/Thimphu BT|Asia/Tokyo JP|Asia/Vientiane LA|Asia/Yangon MM|Asia/Yerevan AM
        Atlantic/Bermuda BM|Atlantic/Cape_Verde CV|Atlantic/Faroe FO|Atlantic/Reykjavik IS|Atlantic/South_Georgia GS
        Atlantic/St_Helena SH|Atlantic/Stanley FK|Europe/Amsterdam NL|Europe/Andorra AD|Europe/Athens GR
        Europe/Belgrade RS|Europe/Berlin DE|Europe/Bratislava SK|Europe/Brussels BE|Europe/Bucharest RO
        Europe/Budapest HU|Europe/Chisinau MD|Europe/Copenhagen DK|Europe/Dublin IE|Europe/Gibraltar GI
        Europe/Guernsey GG|Europe/Helsinki FI|Europe/Isle_of_Man IM|Europe/Istanbul TR|Europe/Jersey JE|Europe/Kyiv UA
        Europe/Ljubljana SI|Europe/London GB|Europe/Luxembourg LU|Europe/Malta MT|Europe/Mariehamn AX|Europe/Minsk BY
        Europe/Monaco MC|Europe/Oslo NO|Europe/Paris FR|Europe/Podgorica ME|Europe/Prague CZ|Europe/Riga LV
        Europe/Rome IT|Europe/San_Marino SM|Europe/Sarajevo BA|Europe/Skopje MK|Europe/Sofia BG|Europe/Stockholm SE
        Europe/Tallinn EE|Europe/Tirane AL|Europe/Vaduz LI|Europe/Vatican VA|Europe/Vienna AT|Europe/Vilnius LT
        Europe/Warsaw PL|Europe/Zagreb HR|Europe/Zurich CH|Indian/Antananarivo MG|Indian/Chagos IO|Indian/Christmas CX
        Indian/Cocos CC|Indian/Comoro KM|Indian/Kerguelen TF|Indian/Mahe SC|Indian/Maldives MV|Indian/Mauritius MU
        Indian/Mayotte YT|Indian/Reunion RE|Pacific/Apia WS|Pacific/Auckland NZ|Pacific/Efate VU|Pacific/Fakaofo TK
        Pacific/Fiji FJ|Pacific/Funafuti TV|Pacific/Guadalcanal SB|Pacific/Guam GU|Pacific/Nauru NR|Pacific/Niue NU
        Pacific/Norfolk NF|Pacific/Noumea NC|Pacific/Pago_Pago AS|Pacific/Palau PW|Pacific/Pitcairn PN
        Pacific/Rarotonga CK|Pacific/Saipan MP|Pacific/Tongatapu TO|Pacific/Wallis WF
        """
}
