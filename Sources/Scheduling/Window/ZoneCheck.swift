package import KnotDomain

/// A person's zone as this machine knows it, and what is to be said about that.
package struct ReminderZone: Hashable, Sendable {
    /// The name by which the rules were found.
    package let name: String
    package let rules: ZoneRules
    /// What was stored, when the machine has no such zone and the rules are another's.
    package let unknownName: String?

    package init(name: String, rules: ZoneRules, unknownName: String? = nil) {
        self.name = name
        self.rules = rules
        self.unknownName = unknownName
    }

    /// Looks a stored name up, also under a zone's other name; an unknown one gets the fallback, so that a plan is made.
    ///
    /// Universal time serves where the machine does not even know the fallback.
    package init(named stored: String?, in source: any ZoneSource, fallback: String = "UTC") {
        if let stored, let rules = source.rules(named: stored) {
            self.init(name: stored, rules: rules)
        } else if let rules = source.rules(named: fallback) {
            self.init(name: fallback, rules: rules, unknownName: stored ?? "")
        } else {
            self.init(name: "UTC", rules: .utc, unknownName: stored ?? "")
        }
    }

    /// A sentence for people; nil when the stored zone is known.
    package var warning: String? {
        switch unknownName {
        case nil: nil
        case "": "No time zone is stored; times are in \(name). Store the person's zone."
        case let stored?:
            "This machine does not know the time zone \"\(stored)\"; times are in \(name). Correct the zone, or install "
                + "tzdata."
        }
    }
}

/// A change of law that a machine's zone files must know; one that does not is wrong by an hour there.
package struct ZoneFact: Hashable, Sendable {
    package let zone: String
    package let moment: Instant
    /// East of Greenwich, in seconds.
    package let offset: Int
    /// The release of the zone database that brought it.
    package let release: String
    package let what: String

    /// Recent changes, the newest first.
    package static let all: [ZoneFact] = [
        ZoneFact(
            "America/Vancouver",
            "2026-12-01T00:00:00Z",
            -7,
            "2026b",
            "British Columbia no longer changes its clocks"
        ),
        ZoneFact("America/Asuncion", "2025-07-01T00:00:00Z", -3, "2025a", "Paraguay keeps summer time all year"),
        ZoneFact("Asia/Almaty", "2024-04-01T00:00:00Z", 5, "2024a", "Kazakhstan has one time"),
        ZoneFact("Africa/Cairo", "2023-07-01T00:00:00Z", 3, "2023a", "Egypt has summer time again"),
        ZoneFact("America/Mexico_City", "2023-07-01T00:00:00Z", -6, "2022f", "Mexico gave up summer time"),
        ZoneFact("Asia/Amman", "2023-01-15T00:00:00Z", 3, "2022e", "Jordan keeps summer time all year"),
    ]

    private init(_ zone: String, _ moment: String, _ hours: Int, _ release: String, _ what: String) {
        guard let moment = Instant(iso8601: moment) else { preconditionFailure("\(moment) is no moment") }
        self.zone = zone
        self.moment = moment
        offset = hours * 3_600
        self.release = release
        self.what = what
    }

    /// The facts that a machine's zone files contradict.
    ///
    /// A zone that is missing altogether contradicts as well.
    package static func unknown(to source: any ZoneSource) -> [ZoneFact] {
        all.filter { source.rules(named: $0.zone)?.offsetSeconds(at: $0.moment) != $0.offset }
    }

    /// A sentence for people: what is wrong on this machine, and what to do.
    package var warning: String {
        "The zone files of this machine are older than \(release): they do not know that \(what) "
            + "(\(zone)). Update tzdata."
    }
}
