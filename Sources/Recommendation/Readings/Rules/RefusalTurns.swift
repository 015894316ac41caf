/// Ways to say no that are more than one word.
enum RefusalTurns {
    /// The refused thing stands behind.
    static let after = MarkList(
        """
        lost|losing|loses|lose all? interest|appetite|taste|enthusiasm|patience|love|faith in|for|with; spare $them
        sick|tired to death of; sick and tired of; sick|tired|weary|fed to the back|hind teeth of|with
        not pay|drag|get|make $them on|to|near|into|onto; not go|come|get near; same room as
        sooner|rather starve|burn|die|eat|drown|walk|cry than; turned|turns|turning $its back on
        turns|turned $its nose up at; washed $its hands of; drew|draws|draw a|the line at|under
        call|called|calls time|it quits? on; packed|jacked|chucked|packing|jacking in; laid|lays|laying|lay off
        gives up; weaned $them? off; not a|an|much|big|huge|really|the|any * fan of; no fan of; never a|much fan of
        not big on; not much of a; not one for; not keen on; not into
        not fussed|bothered|fond|interested about|by|on|of|in|with; no|zero interest|desire|appetite in|for|to
        not mad|wild|crazy about|on; not care less about; nothing to do with; not * be doing|dealing with; had it with
        had it up to here with; enough already? of|with; anything other than; anything except; anything besides
        more * than feet|hands|days|people|sense|shelves|shelf|books|hours
        drawer|drawers|cupboard|cupboards|wardrobe|garage|closet|attic|loft|cabinet is|are? full of; overflowing with
        drowning in; buried in|under; knee deep in; overrun with|by; inundated with|by; <no room for more?
        steer|steers|steering well? clear of|off; give * wide berth
        forbade|forbidden|forbids|prohibited|vetoed|outlawed; ban on; against doctors orders; leave out the
        sold|selling|sells her|his|their|all|off|the|that; got|getting|gets rid of; finito|disillusioned with
        moved on from; grown|grew out of; outgrown; outgrew; retired from; weary of; allergy to; allergic to
        reaction|reacts|reacted badly? to; intolerance to|of
        swells|swell|swelled|swelled|closes|close up? from|with|at; unable to eat|drink|tolerate|wear
        not allowed|permitted|supposed to? eat|drink|have|touch|any|lift|do
        never wears|wear|touches|touch|liked|likes|cared|been for; nothing with; nothing that; nothing made of|from
        no longer plays|does|needs|uses|wants|wears; fill of; done|had $its share of; not * tolerate|stomach|abide
        keep|keeps|kept|stay|stays|stayed away|clear from|of; <second thoughts about|on|over; <gone|went|going cold on
        cooled on; no patience|stomach|love for; gone|went|going|goes right|clean|completely|totally|really off
        up to $its ears|neck|eyeballs|eyes in; sees|gets|hears|see|given|handed one more
        <^|please|just|so|then|lets|ok|well forget|scratch|scrap|cancel|skip|nix|ditch|axe|drop the|that|about|all|any
        <he|she|they|we|has|have|had|and scrapped|nixed|axed|cancelled|canceled|binned|ditched|donated|returned|\
        regifted her|his|their|the|all|that|any
        stopped|stops|stopping|quit|quits eating|drinking|wearing|doing|playing|collecting|baking|buying|watching|\
        riding
        """
    )

    /// The refused thing stands before, in the same clause or the last one that names anything.
    static let before = MarkList(
        """
        dead to $them; <$is history|passe|toast|dusted; done and dusted; dead and buried; off limits
        out of the? question|bounds|window; <a no go|no; no go; a thing of the past; ancient history; yesterdays news
        closed chapter; not happening; dead in the water; got|been|getting thrown|chucked|tossed|given out|away
        got the boot|chop|push; turn|turns|turned $its stomach; bore|bores|bored $them
        leave|leaves|left $them cold|flat|unmoved; bring|brings|brought|break|breaks|broke $them out in|all
        bring|brings|brought $its * up|out in; sets|set|sets $them off; sets off $its; flares|flare $its|them
        upset|upsets $its|them stomach|tummy|gut|insides|belly; disagree|disagrees with; not|longer agree|agrees with
        not|longer suit|suits $them; do|does|did nothing|zero for $them; not do it|much|anything for $them
        smell|smells|smelled of|like funerals|hospital|hospitals|death|funeral|church|feet
        <is|are for hospitals|funerals|grannies|tourists|fools|grandmas
        feel|feels|seem|seems so|too|just|really? lazy|childish|insulting|wasteful|pointless
        tacky|naff|cheesy|tasteless|impersonal|gimmicky|twee|soulless|overrated|cringe|corny; not for $them
        not $its thing|bag|cup|style|scene|jam|vibe|idea|taste|world|sort|type|kind
        never $its thing|bag|cup|style|scene|jam|idea; $its idea of torture|hell|purgatory|a
        lost its|their|all|the charm|appeal|shine|magic|lustre|sparkle|novelty; novelty wore|has off|worn
        run its|their course; <a phase|fad|craze; passing phase|fad|craze; fizzled out|away; bit the dust
        died a death; went out of the window; no thanks
        <never doing|trying|going|having|making|eating|buying|touching that|it|this|there; no thank you
        enough already; never in a million|her|his; wants nothing to|more; no longer welcome
        makes|make|made $them gag|heave|cringe|retch|wheeze|cough|sneeze|sick|ill|dizzy|nauseous|queasy|itch|itchy|\
        swear|anxious|panic|ache|choke|break|swell|unwell|feel|shudder|bloated|poorly|grumpy
        close|closes|closed|closing|shut|shuts $its throat|airways|chest; throat closes|swells|shut|up
        ruined for $them; <a trigger; <$is behind $them >
        idea|plan|phase|craze|hobby|thing is|was dead|over|done|off|behind|finished|gone|history|past
        days are behind|over|done|gone|past|history
        <$is dropped|ditched|binned|scrapped|abandoned|vetoed|canned|banned|forbidden|outlawed|nixed
        got dropped|ditched|binned|scrapped|vetoed|canned|nixed|banned
        on|to ebay|gumtree|craigslist|vinted|marketplace >
        went|gone|go in|into|to|straight the? charity|donation|goodwill|recycling|rubbish|bin|trash|skip|dump|tip|\
        thrift; in|to the bin|trash|skip >
        freak|freaks|freaked|creep|creeps|creeped|weird|weirds|gross|grosses|wig|wigs|scare|scares|terrify|terrifies|\
        frighten|frightens|petrify|petrifies $them
        give|gives|gave $them the|a|an|really * creeps|shivers|ick|icks|jeebies|willies|fear|hives|rash|heartburn|\
        reflux|palpitations|nightmares|asthma|panic|wheeze|hangover
        give|gives|gave $them creeps|hives|heartburn|reflux|nightmares|ulcers|palpitations|asthma|rashes|indigestion|\
        wind|cramps; asthma attack|attacks
        remind|reminds|reminded $them of * hospital|hospitals|funeral|funerals|ex|divorce|war|chemo|accident|prison|\
        hospice|burial; off the list|menu|agenda|cards; <$is off the table|cards|agenda
        <is|she|he|they|so|well|totally|completely|officially|just|really|now over it|that|them|those >
        <he|she|they|has|have binned|sold|ditched|donated|returned|scrapped|chucked|tossed|hated|hates it|them
        never again >; had enough >; coming out of $its ears
        makes|make|made $its skin|heart|throat|stomach|nose|mouth|tongue|lips|chest crawl|race|pound|close|swell|\
        itch|turn|run|tighten|tingle|streaming; upset|upsets|wreck|wrecks $its stomach|gut|guts|tummy
        trigger|triggers|triggered $its migraine|migraines|asthma|allergies|allergy|eczema
        """
    )

    /// The same where nothing is broken: a squeaking door that drives her mad wants oil.
    static let doubtful = MarkList(
        """
        drive|drives|drove $them mad|crazy|nuts|insane|up|round|bonkers|batty|bananas|potty|to
        on $its nerves|wick|tits
        give|gives|gave $them the|a|an|really|terrible|awful|bad|horrible|splitting|nasty|proper * headache|\
        headaches|migraine|anxiety; give|gives|gave $them headaches|migraines|anxiety
        stress|stresses|stressed $them out
        """
    )

    /// The refused thing stands within: "packed the golf in", "sent the bracelet back".
    static let around = MarkList(
        """
        boxed|bagged|packed|cleared|tidied * up|away|out; packed|jacked|chucked|packs|jacks * in
        gave|given|giving|threw|thrown|tossed|chucked|give|throw * away|out; sent|sends|took * back
        put|putting|listed|selling * on ebay|gumtree|marketplace|craigslist|vinted|sale
        cross|crossed|strike|struck|take|took * off the? list; cross|scratch|strike * off >
        """
    )

    /// What points back to something named before: "pottery? she went off it".
    static let pronouns: Set<String> = ["it", "them", "that", "those", "this", "these", "all", "again"]
}
