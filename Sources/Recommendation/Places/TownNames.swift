/// Towns that people and providers write in more ways than the gazetteer does: without "City", in another language, by an
/// older name, with "St" for "Saint".
enum TownNames {
    /// What the gazetteer may call a town that is written so; folded names both.
    static func others(of folded: String) -> [String] {
        var names = table[folded].map { [$0] } ?? []
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
        "la habana": "havana",
    ]
}
