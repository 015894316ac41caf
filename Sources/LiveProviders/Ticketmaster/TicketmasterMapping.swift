import KnotDomain
import TextReading

/// Events as candidates.
struct TicketmasterMapping {
    let zones: any ZoneSource
    let now: Instant
    let until: CivilDate?

    /// What can be had of these events, with what makes several of them one show.
    func offers(of events: [TicketmasterWire.Event]) -> [ServiceOffer] {
        events.compactMap { event in
            guard isForSale(event), !TicketmasterExtras.isExtra(event), let candidate = candidate(of: event) else {
                return nil
            }
            // One show comes once for each package and each source.
            let show = [event.attractionID, event.venue?.id, event.localDate].compactMap { $0 }
            return ServiceOffer(candidate, thing: show.count == 3 ? show : nil)
        }
    }

    private func candidate(of event: TicketmasterWire.Event) -> Candidate? {
        let start = startsAt(event)
        guard !isOutside(event, start) else { return nil }
        let venue = event.venue
        let currency = event.price?.currency ?? CountryTable.currency(of: venue?.country) ?? .usd
        var draft = CandidateDraft(
            provider: .ticketmaster,
            id: event.id,
            type: type(of: event, at: start),
            title: event.name,
            url: event.url,
            currency: currency
        )
        let city = venue?.city.map { BoundaryText.clean($0, limit: TextLimit.name) }
        let about = [event.kinds.filter { !Candidate.isDepartment($0) }.joined(separator: ", "), venue?.name, city]
            .compactMap { $0 }.filter { !$0.isEmpty }
        let day = start == nil ? event.localDate.map { Self.words(on: $0, at: event.localTime) } : nil
        draft.description = ([event.info ?? about.joined(separator: ", ")] + [day].compactMap { $0 })
            .joined(separator: ", ")
        draft.imageURL = event.imageURL
        draft.priceCents = event.price?.minimum.minorUnits(of: currency)
        draft.merchant = event.promoter ?? "Ticketmaster"
        draft.location = Place(city: city, state: venue?.state, country: venue?.country)
        draft.startsAt = start
        draft.tags = event.kinds
        return draft.candidate
    }

    /// A day with its time by clocks that nobody here knows, or without one.
    private static func words(on date: String, at time: String?) -> String {
        let shown = time?.prefix(5) ?? ""
        let isTime = Instant(iso8601: "\(date)T\(shown)Z") != nil
        return "on \(date)" + (isTime ? " at \(shown)" : ", time to be announced")
    }

    /// Both spellings of cancelled occur; what is not on sale yet or any more cannot be had.
    private func isForSale(_ event: TicketmasterWire.Event) -> Bool {
        guard !event.isTest, ["onsale", "rescheduled"].contains(event.status ?? "onsale") else { return false }
        let sales = [event.salesStart, event.salesEnd].map { $0.flatMap(Instant.init(iso8601:)) }
        return sales[0].map { $0 <= now } ?? true && sales[1].map { now < $0 } ?? true
    }

    /// In universal time, or by the clocks of the venue; nil where no time is fixed, and none is invented.
    private func startsAt(_ event: TicketmasterWire.Event) -> Instant? {
        if let written = event.startsAt.flatMap(Instant.init(iso8601:)) { return written }
        guard let date = event.localDate.flatMap(CivilDate.init(iso8601:)),
            let time = event.localTime?.split(separator: ":").map({ Int($0) }), time.count >= 2,
            let hour = time[0], let minute = time[1],
            let local = LocalDateTime(date: date, hour: hour, minute: minute),
            let rules = event.zone.flatMap(zones.rules(named:))
        else { return nil }
        return rules.instant(of: local)
    }

    /// Over already, or on a day after the last that counts; a filter sees no day where there is no time.
    private func isOutside(_ event: TicketmasterWire.Event, _ start: Instant?) -> Bool {
        if let start { return start <= now }
        guard let date = event.localDate.flatMap(CivilDate.init(iso8601:)) else { return true }
        return date < today(at: event) || until.map { date > $0 } ?? false
    }

    /// The day at the venue; where nobody knows its clocks, the day that it is somewhere still.
    private func today(at event: TicketmasterWire.Event) -> CivilDate {
        let rules = event.zone.flatMap(zones.rules(named:))
        return rules?.local(at: now).date
            ?? LocalDateTime(secondsSinceEpoch: Int(now.secondsSinceEpoch) - 12 * 3_600).date
    }

    /// An evening with music, on a stage or before a screen is something for two; sport and the rest is an experience.
    private func type(of event: TicketmasterWire.Event, at start: Instant?) -> CandidateType {
        guard let segment = event.segmentID, TicketmasterSegments.evening.contains(segment), let start,
            let rules = event.zone.flatMap(zones.rules(named:))
        else { return .experience }
        return rules.local(at: start).hour >= 17 ? .date : .experience
    }
}

/// Ticketmaster's segments, whose ids never change.
enum TicketmasterSegments {
    private static let music = "KZFzniwnSyZfZ7v7nJ"
    private static let sports = "KZFzniwnSyZfZ7v7nE"
    private static let arts = "KZFzniwnSyZfZ7v7na"
    private static let film = "KZFzniwnSyZfZ7v7nn"
    private static let miscellaneous = "KZFzniwnSyZfZ7v7n1"

    static let evening: Set<String> = [music, arts, film]

    /// Interests that no event serves are not here.
    private static let byInterest: [KnownInterest: [String]] = [
        .music: [music], .concerts: [music], .karaoke: [music], .dancing: [music, arts], .theater: [arts],
        .art: [arts], .museums: [arts, miscellaneous], .movies: [film], .sports: [sports], .fitness: [sports],
        .cars: [sports], .running: [sports], .cycling: [sports], .skiing: [sports], .gaming: [miscellaneous],
        .food: [miscellaneous], .wine: [miscellaneous], .podcasts: [arts], .reading: [arts],
    ]

    /// Each once, in the order of the interests.
    static func ids(of interests: [KnownInterest]) -> [String] {
        interests.flatMap { byInterest[$0] ?? [] }.reduce(into: []) { ids, id in
            if !ids.contains(id) { ids.append(id) }
        }
    }
}
