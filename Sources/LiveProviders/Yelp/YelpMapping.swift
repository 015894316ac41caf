import KnotDomain

/// A business as a candidate.
enum YelpMapping {
    /// Nil for what has closed for good or lacks a name or a link.
    static func candidate(of business: YelpWire.Business, near place: Place?) -> Candidate? {
        guard !business.isClosed else { return nil }
        let country = business.country ?? place?.country
        var draft = CandidateDraft(
            provider: .yelp,
            id: business.id,
            type: YelpCategories.type(of: business.categories.map(\.alias)),
            title: business.name,
            url: business.url,
            // The money of the country, for display alone: a business has no price.
            currency: CountryTable.currency(of: country) ?? .usd
        )
        draft.description = business.categories.map(\.title).joined(separator: ", ")
        draft.imageURL = business.imageURL
        draft.merchant = business.name
        draft.location = Place(city: business.city, state: business.state, country: country)
        draft.rating = business.rating
        draft.reviewCount = business.reviewCount
        draft.tags = business.categories.map(\.title)
        return draft.candidate
    }
}

/// What Yelp's categories have to do with our interests and kinds.
enum YelpCategories {
    /// Aliases that the search accepts, the nearest first.
    private static let byInterest: [KnownInterest: String] = [
        .travel: "tours hotels", .cooking: "cookingclasses cookingschools", .movies: "movietheaters driveintheater",
        .music: "musicvenues vinyl_records", .reading: "bookstores libraries", .sports: "stadiumsarenas active",
        .gaming: "arcades gamingcafes", .art: "galleries artclasses", .photography: "photoclasses galleries",
        .fitness: "gyms fitness", .fashion: "fashion vintage", .technology: "electronics makerspaces",
        .nature: "gardens parks", .food: "restaurants foodtours", .coffee: "coffee coffeeroasteries",
        .wine: "wineries wine_bars", .dancing: "dancestudios danceclubs", .theater: "theater",
        .concerts: "musicvenues jazzandblues", .museums: "museums", .shopping: "shopping", .yoga: "yoga",
        .hiking: "hiking", .beach: "beaches", .pets: "petstore catcafes", .cars: "gokarts motorsportvehiclerentals",
        .diy: "makerspaces diyfood", .gardening: "nurseries gardens", .meditation: "meditationcenters",
        .podcasts: "bookstores", .baking: "bakeries cookingclasses", .camping: "campgrounds",
        .cycling: "bikerentals bikes", .running: "active", .swimming: "swimmingpools", .skiing: "skiresorts",
        .surfing: "surfing", .painting: "paintandsip artclasses", .boardGames: "tabletopgames",
        .karaoke: "karaoke",
    ]

    static func aliases(of interest: KnownInterest) -> [String] {
        byInterest[interest]?.split(separator: " ").map(String.init) ?? []
    }

    /// Where somebody does or sees something; what is not here is mostly a place to eat and drink, which is a date.
    private static let experiences = Set(
        """
        active amusementparks aquariums archery artclasses artmuseums artsandcrafts axethrowing ballooning barbers \
        bikerentals bikerepair bikes boating bootcamps bowling boxing campgrounds canoeing carshows challengecourses \
        childrensmuseums classes climbing cookingclasses cookingschools culturalcenter dancestudios day_spas \
        diving education escapegames electronicsrepair facepainting farmersmarket farms festivals fishing fitness \
        floatspa flyboarding galleries gardeners gardens gliding gokarts golf golflessons gyms hairsalons \
        hanggliding hiking historicaltours homecleaning horsebackriding hot_air_balloons hotsprings isps \
        jetskis kayaking lasertag leisure_centers makerspaces martialarts massage massage_therapy \
        meditationcenters minigolf movietheaters museums musicinstruction nailsalons nurseries observatories \
        othersalons paddleboarding paintball paintandsip parks photoclasses photographers pilates planetarium \
        plantstours pottery rafting reflexology rock_climbing saunas scavengerhunts skating_rinks skiresorts \
        skydiving snorkeling spas stadiumsarenas surfing swimminglessons swimmingpools tailors tastingclasses \
        tours trampoline virtualrealitycenters walkingtours wildlifehunting winetours yoga zipline zoos
        """.split(separator: " ").map(String.init)
    )

    /// By the first category that is known: a service lists the main one first.
    static func type(of aliases: [String]) -> CandidateType {
        aliases.prefix(1).contains(where: experiences.contains) ? .experience : .date
    }
}
