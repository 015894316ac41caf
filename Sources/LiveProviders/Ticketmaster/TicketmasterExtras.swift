/// Tells what is sold beside a show, and is none itself, from shows whose names have words of it.
///
/// `RV Pass`, `Parking: Harbor Lights` and `VIP Upgrade` are no evening; `Suite for Strings` is one.
enum TicketmasterExtras {
    /// Things that are sold beside shows.
    private static let things: Set<Substring> = [
        "parking", "upgrade", "upgrades", "voucher", "vouchers", "suite", "suites", "rv", "camping", "shuttle",
        "locker",
        "lockers", "hospitality",
    ]
    /// Words that stand beside such a thing and make nothing else of it.
    private static let details: Set<Substring> = [
        "pass", "passes", "ticket", "tickets", "only", "vip", "premium", "premier", "preferred", "luxury", "private",
        "club",
        "party", "general", "reserved", "package", "packages", "access", "lot", "garage", "valet", "early", "entry",
        "day",
        "daily", "single", "weekend", "overnight", "rental", "rentals", "level", "deposit", "reservation",
        "reservations",
        "tent", "car", "bus", "service", "box", "north", "south", "east", "west", "monday", "tuesday", "wednesday",
        "thursday",
        "friday", "saturday", "sunday",
    ]
    /// Words behind a thing that show it to be sold, anywhere in a name.
    private static let units: Set<Substring> = [
        "pass", "passes", "ticket", "tickets", "package", "packages", "rental", "rentals", "reservation",
        "reservations",
        "deposit",
    ]
    /// Words that end the name of what is sold with a show, and of hardly any show.
    private static let endings: Set<Substring> = ["parking", "upgrade", "upgrades", "voucher", "vouchers"]
    /// Words that no show says of itself.
    private static let phrases: [[Substring]] = [
        ["add", "on"], ["add", "ons"], ["addon"], ["not", "included"], ["no", "ticket"], ["not", "a", "ticket"],
        ["not", "a", "concert", "ticket"], ["not", "a", "show", "ticket"], ["not", "a", "game", "ticket"],
    ]
    /// The service's own words for what is no show.
    private static let types: Set<String> = [
        "parking", "upsell", "voucher", "vouchers", "add-on", "add on", "addon", "ancillary", "merchandise",
    ]

    static func isExtra(_ event: TicketmasterWire.Event) -> Bool {
        if event.types.contains(where: { types.contains($0.lowercased()) }) { return true }
        let name = (event.name ?? "").lowercased().replacing(" - ", with: "|")
        // A suite is a piece of music or a play where there is a stage, and else a room.
        let isStaged = event.segmentID.map { TicketmasterSegments.evening.contains($0) } ?? true
        let parts = name.split { ":|()[]/;,\u{2013}\u{2014}".contains($0) }
        return parts.contains { part in
            let words = part.split { !$0.isLetter && !$0.isNumber }
            return isThing(words, isStaged: isStaged) || phrases.contains { words.contains($0) }
        }
    }

    private static func isThing(_ words: [Substring], isStaged: Bool) -> Bool {
        guard let last = words.last, words.contains(where: things.contains) else { return false }
        if endings.contains(last) || !isStaged && ["suite", "suites"].contains(last) { return true }
        if zip(words, words.dropFirst()).contains(where: { things.contains($0) && units.contains($1) }) { return true }
        return words.allSatisfy { word in
            things.contains(word) || details.contains(word) || word.count == 1 || word.allSatisfy(\.isNumber)
        }
    }
}
