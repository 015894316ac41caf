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
        more * than feet|hands|days|people|sense|shelves|shelf|books|hours|wrists|fingers|ears|toes|walls|heads|arms
        drawer|drawers|cupboard|cupboards|wardrobe|garage|closet|attic|loft|cabinet|shelf|shelves|basement|cellar \
        is|are? full of; overflowing with
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
        not to? see|eat|hear|unwrap|receive|smell|touch|open|own|face|sit|watch * another|more|any
        scared|afraid|terrified|frightened|petrified of|by; phobia of|about; fear|terror of
        faints|faint|screams|squeals|recoils|shudders|flinches|runs|hides|legs at|from * sight|sound|thought|mention of
        sensitive|sensitivity to; burnt|burned out on; crosses the street for; legs it from; overdosed on
        fallen|fell|falls|falling out of love with; <even|one|single|the whiff|sniff of
        seen|caught dead in|with|at|near|on
        no|not|longer|never see|sees|saw|seen|got|get * point|appeal|attraction|fuss of|in|about
        not set foot in|on|near
        if i|we|you|anyone|anybody|someone buy|buys|get|gets|give|gives|bring|brings|book|sees|see $them? another|more|yet
        if she|he|they sees|see|gets|get|hears|hear|unwraps another|more|yet; talked $them out of; put off for life by
        not touch|eat|wear|drink|ride|do|watch|buy|go another|any; run|runs|ran a mile from; dread|dreads the
        get|gets|got|getting the ick from; put|puts $them off; flinches|recoils|winces|cringes|shudders at
        donated|regifted|flogged|pawned the|her|his|their|all
        not * even? look|think|hear|smell at|about|of; no more of; enough of; not here for
        gets no air|breath with|near
        stopped|stops|stopping|quit|quits eating|drinking|wearing|doing|playing|collecting|baking|buying|watching|\
        riding
        never another; last thing|things she|he|they|anyone|we * needs|need|wants|want|wanted is|are|was
        can|could live|do|cope|survive without another|any|one|more; not|never need|needs|needed another
        eat|eats|ate|eating around; sends|send|sent|sending back anything|everything|whatever|all with|containing|from
        turned|turns|turn|turning|passed|passes down|up free|the|a|an|an invitation|my|our|tickets|offer
        laughed|laughs|laugh|scoffed|scoffs|snorted|snorts|sneered|shuddered|groaned|blanched at the idea|thought|\
        notion|mention|suggestion of
        only|barely|just|politely tolerates|tolerated|endures|endured; pretends|pretended|pretending \
        to like|love|enjoy|adore|appreciate|eat|read|use
        begged|begs|made|makes|warned|warns|told|tells|asked|asks me|us|everyone|him|her promise? never|not to? \
        ever? hire|book|buy|get|\
        bring|give|cook|plan|throw|organise|organize|do|take|order|serve
        whatever you|we|i|anyone do|does? do? not|never book|buy|get|bring|give|order|plan|do|choose|pick|send|take
        unfollowed|unsubscribed from? every|all|the|her|his; would|ll|will die if \
        there|it|i|we|anyone|someone? was|were|is|had|threw|booked?
        ll|will|would|could|can no|nae touch|eat|wear|drink|hear|have|go|watch|use|thole|look
        scared|bored|frightened|terrified|afraid|petrified stiff|silly|witless|senseless|rigid of|by; scared|bored to death \
        of|by
        would|d|ll|will be mortified|horrified|embarrassed|appalled|livid|insulted|offended by|at|about|if|with
        falls|fell|fall|nods|nodded|dozes|dozed off|asleep during|through|halfway; broke|broken up with
        not replacing|renewing|repeating|restarting|reviving; boycotts|boycotted|boycotting
        would|d trade|swap any|every|all|ten|twenty; never carries
        take|takes|took it|that as a|an hint|insult|criticism|dig if|when i|we|anyone|someone bought|buy|gave|give|got|get
        once|twice was|is enough|plenty for|of|at|with; shook|shakes|shaking its head at|over
        made|makes|pulled|pulls|pulling a? face|faces at|when; groaned|groans|grimaced|frowned|winced at
        rolls|rolled|roll|rolling its eyes at|about|over|when; heart sank|sinks at
        idea of hell|torture|purgatory|misery|punishment is|was|would|involves be?; bans|ban|forbids|disallows|prohibits
        worst nightmare|fear|gift|present|date|birthday|purchase ever? was|is|would|were be?
        never forgave|forgives|forgiven me|us|him for; in trouble for|over; in the doghouse for|over; seasick|carsick|airsick on|in|from
        threw|put|did its back|shoulder|neck|knee out|in at|doing|playing
        ended|ends|wound up in hospital|er|emergency|casualty after|from; never opens|opened|touched|used the|any|that|those|my|our
        been there done that with; all set for|on
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
        count|counts|counted $them|me out; <was|were fun|great|nice|exciting|lovely for|while|until|till
        nearly|almost|tried|try to? killed|kill|finished|choked|poisoned|choke $them
        days are * over|gone|behind|past|numbered|done|history; not sit|go|agree well|right|easy|easily|down with|at
        for every day|mood|season|occasion|month of?; with|into the trash|rubbish|bins|recycling
        by the dozen|truckload|bucketload|hundred|score|armful|boatload|carload; off the table|menu|cards|agenda >
        send|sends|sent $them to sleep; close|closes|closed up $its throat; dealbreaker; deal breaker; no no >
        not set foot there|again|inside; talked $them out of it|that; put $them off for|completely|entirely
        returned|went|goes|going|gone|taken|took|sent * to|back * shop|store|sender|seller|amazon; <^ no >
        <is|are for children|babies|toddlers|teenagers|students|hipsters|posers|losers|pensioners|snobs|sailors|cowards|\
        wimps|idiots|suckers|girls|boys; was a passing; not worth the|it|a; <is|are|was beneath $them
        crossed|ruled|struck|scratched out|off; no longer|more possible|allowed|permitted|welcome; <^ do not >
        closed|shut file|book|chapter; over and out; <$is no more >
        put|puts|landed|lands|sent $them|both in|to * hospital|er|a|emergency; end|ended|ends up in * hospital|er
        lasted as|about|maybe|barely|all|exactly|precisely|two|three|one|a|five|ten|half|less|not|until
        era|stage|chapter|kick|obsession|period|saga|experiment|adventure|fling|business|nonsense|thing is|was|are over|\
        done|finished|dead|closed|history|ended|gone|toast|dusted
        experiment|adventure|fling|thing failed|ended|died|flopped|tanked|is|was
        get|gets|getting no air|breath; hard|big|firm|flat|solid|absolute|definite|massive no|nope|pass
        <a|is no from|for $them?
        absolutely|definitely|certainly|hell|god|totally|just not|no >; not anymore|ever >; hard pass
        hated|loathed|despised it|them|that|every|each; never went|goes|going|go back|again
        walked|stormed|stomped out >
        for|to sale|adoption >; up for sale|adoption|grabs
        on depop|olx|kijiji|vinted|facebook|craigslist|gumtree|ebay
        make|makes|made $them yawn|wince|groan|squirm|nervous|jumpy|faint|furious|miserable|vomit|wheezy|ill|seasick
        gets|get|got|goes|went|getting up $its nose; does|do|did $its head|nut|box in; grate|grates|grated on
        put|puts|putting $them off >; <has|have|got|owns plenty|enough|loads|heaps|tons|dozens >; <^ enough >
        gives|give|gave $them the fear|boke|jitters|collywobbles|wobblies|bends|shakes|boak
        <is|are|look|looks|feel|feels|so|just|too|really|kinda|pretty|bit creepy|morbid|pretentious|cliche|cliched|\
        garish|gaudy|vulgar|trashy|kitsch|kitschy|cruel|barbaric|disgusting|revolting|gross|yucky|vile|icky|minging|\
        girly|snobby|stuffy|cringey|basic|embarrassing
        trigger|triggers|triggered|triggering $its migraine|migraines|asthma|allergies|allergy|eczema
        over $its dead body; <is|are for other|somebody|someone|anyone else? people|folk|couples|else
        put|puts $them to sleep|bed; turn|turns|turned $them grey|gray|green|white|purple|queasy|cold|inside
        makes|make|made $its feet|head|back|ears|eyes|knees|legs|joints|bones|teeth hurt|hurts|ache|aches|glaze|spin|\
        throb|swim|bleed|wobble|buckle; never wears|uses|opens|plays any|it|them|one|those >
        do|does|did not mix|fly; <^ not since the|that|her|his|their|last; <she|he fishes|picks|weeds|plucks out
        removes|removed|picks|picked|fishes|fished|plucks one by one
        never|not leaves|left|leave|seen|saw its|the|their box|case|packaging|wrapping|wrapper|cupboard|drawer|bag
        still in|inside its|the|their box|boxes|packaging|wrapping|wrapper|plastic|cellophane since|from|after|months|years
        my|our thing|hobby|passion|love|sport|scene not hers|his|theirs; please no >; hung up for good
        <is|are for people who; phase passed|ended|lasted
        she|he|they finds|find|found|considers|calls cruel|creepy|tacky|naff|cheesy|silly|boring|dull|pointless|soulless|\
        vulgar|overrated|morbid|childish|depressing|gross|wasteful|pretentious
        hurt|hurts its ears|eyes; could|can|might kill $them
        <is|are|means|was a hospital|er trip|visit|job|run; <is|are out since|for|until|till|this|these
        never in a thousand|hundred|billion|month
        <is|are|as cough|rabbit|hospital medicine|syrup|food; blood money
        look|looks wrong|awful|dreadful|ridiculous|terrible|horrible|silly|stupid on $them
        <is|are|be|was|were an|a insult|offence|offense|slap|punishment|sin; wasted|lost on $them
        feel|feels|felt|sound|sounds|seem|seems like homework|work|chores|duty|punishment|torture|hell
        sound|sounds|sounded exhausting|awful|dreadful|boring|dull|ghastly|horrible|terrible|tedious|stressful|hellish|tiring
        once|twice|one was|is plenty|enough >; where she|he|they draws|drew|draw the line
        absolutely|definitely|certainly never >; <an|a|is|are abomination|atrocity|blasphemy|sacrilege|heresy
        leave|leaves|left $them puzzled|indifferent|baffled|bored; <is|are|were trash|garbage|drivel|tripe|twaddle
        not hers|his|theirs >; not go|went down|over well|great|easily; went|goes down badly|poorly; fell|falls flat
        too soon|raw >
        is|as a doorstop|paperweight; dust catcher|collector|magnet; for my|our sake >; for my|our sake only
        came with the flat|house|apartment|car; we|she|he|they|i never uses|use|used >
        in|on|under the|her|his|a cupboard|drawer|shelf|fridge|garage|wardrobe already
        """
    )

    /// The same where nothing is broken: a squeaking door that drives her mad wants oil.
    static let doubtful = MarkList(
        """
        drive|drives|drove $them mad|crazy|nuts|insane|up|round|bonkers|batty|bananas|potty|to
        on $its nerves|wick|tits
        give|gives|gave $them the|a|an|really|terrible|awful|bad|horrible|splitting|nasty|proper * headache|\
        headaches|migraine|anxiety; give|gives|gave $them headaches|migraines|anxiety
        stress|stresses|stressed $them out; <she|he|they|so gave|gives|given up >; <is|are|was finished|over >
        <a|an|complete|total|utter|absolute|proper|bit|was|is|are|such disaster|nightmare|nonsense|torture|ordeal|flop|\
        mistake|fiasco|shambles|travesty|con|scam|rubbish|hogwash|chore|snore|bore|turnoff|letdown
        sits|sat|sitting|still|lies|lay|stayed unopened|untouched|unworn|unused
        gather|gathers|gathering|gathered dust
        <was|is|were|pure|absolute|sheer|utter|total hell|agony|purgatory|misery|murder|ghastly|dreadful|excruciating
        taste|tastes|tasted like|of petrol|soap|dirt|mud|feet|socks|plastic|metal|\
        cardboard|medicine|perfume|vinegar|sweat|chalk|ash|rubber|bleach|dishwater|grass
        annoy|annoys|irritate|irritates|infuriate|infuriates|enrage|enrages $them
        """
    )

    /// The refused thing stands within: "packed the golf in", "sent the bracelet back".
    static let around = MarkList(
        """
        boxed|bagged|packed|cleared|tidied * up|away|out; packed|jacked|chucked|packs|jacks * in
        gave|given|giving|threw|thrown|tossed|chucked|give|throw * away|out; sent|sends|took * back
        put|putting|listed|selling * on ebay|gumtree|marketplace|craigslist|vinted|sale
        leave|leaves|left|leaving * alone; says|reckons * is|are just|basically|only|merely|glorified
        find|finds|found|thinks|think|considers|calls|called|reckons * cold|creepy|tacky|naff|cheesy|tasteless|cringe|\
        cringey|impersonal|gross|silly|boring|dull|pointless|soulless|pretentious|vulgar|wasteful|overrated|corny|sad|\
        morbid|childish|cruel|disgusting|revolting|vile|gimmicky|twee|ugly|hideous|embarrassing|ridiculous|insulting|\
        stupid|daft|lazy|depressing|dreary|tedious|exhausting|stressful|unbearable|insufferable|pathetic|sinister|naive|\
        infantile|dated|fussy|fiddly|scary|frightening|terrifying|boring|dull|overwhelming
        cross|crossed|strike|struck|take|took * off the? list; cross|scratch|strike * off >
        push|pushes|pushed|slides|slid|moves|moved * to|on|along the edge|side|rim of the|her|his|every|each plate|bowl|\
        dish; leave|leaves|leaving * on|at the side|plate|rim
        pick|picks|picked|picking|fishes|fished|digs|dug|plucks|sifts * out of everything|anything|whatever
        pick|picks|picked|picking|fishes|fished|digs|dug|plucks|sifts * out of every|any|each|the|her|his soup|salad|stew|\
        curry|sauce|pasta|pizza|sandwich|dish|meal|plate|burger|risotto|omelette|bowl|mix|takeaway|rice|porridge|muesli
        picks|picked|fishes|fished every|each|all|any * out
        scrape|scrapes|scraped|peels|peeled|picks|picked * off the|her|his|every pizza|cake|toast|burger|top|salad|dessert|\
        sandwich|pie|tart|bun|plate
        gave|gives|passed|handed|slipped the|that|her|his|their * to her|his|their|the|our sister|brother|cousin|niece|\
        nephew|neighbour|neighbor|neighbours|neighbors|colleague|roommate|friend|charity|dog >
        took|takes|had one bite|taste|sip|mouthful|nibble|spoonful of * and|then passed|pushed|handed|put|slid|left|spat|gave
        walked|stormed|slipped|left out? of? * at|during|before|in the interval|intermission|half|halftime|break
        not have|allow|permit * in|inside|near|through the|her|his|our|this|my house|home|kitchen|flat|apartment|place|door|\
        garden|bathroom|bedroom|car|office; owns|has|have|got every|each * already
        over * any|every day|time >; let|lets|letting the|her|his|our|that * lapse|expire
        considers|calls|finds|thinks * a|an waste|chore|scam|bore|cult|racket|con
        swapped|swaps|trades|traded her|his slice|portion|share|half|glass|plate|helping of * for
        """
    )

    /// What points back to something named before: "pottery? she went off it".
    static let pronouns: Set<String> = ["it", "them", "that", "those", "this", "these", "all", "again"]
}
