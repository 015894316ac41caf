import TextEncoding

/// The closed word classes the rules speak of: grammar, not taste.
enum RuleWords {
    static func set(_ words: String) -> Set<String> { Set(list(words)) }

    /// The words of a table in their order.
    ///
    /// They are cut by bytes, since the tables are read at the start of every process.
    static func list(_ words: String, by separator: Unicode.Scalar = " ") -> [String] {
        let separator = UInt8(ascii: separator)
        return words.utf8.split { $0 == separator || $0 == UInt8(ascii: "\n") }.map { String(Substring($0)) }
    }

    static func stem(_ word: String) -> String { Stemmer.stem(word) }

    /// A word as the rules compare it, or one that a contraction stands for.
    struct Form: Sendable {
        let text: String
        /// The stem's fingerprint.
        let print: UInt64
        let isStopWord: Bool
    }

    /// What the contraction with this fingerprint stands for.
    static func forms(of word: UInt64) -> [Form]? { contractions.numbers[word].map { contractions.forms[$0] } }

    private static let contractions: (numbers: FingerprintTable, forms: [[Form]]) = {
        var numbers = FingerprintTable(capacity: spelledOut.count)
        var forms: [[Form]] = []
        for (word, parts) in spelledOut {
            _ = numbers.number(of: Fingerprint.of(word))
            forms.append(
                parts.map { Form(text: $0, print: Fingerprint.of(stem($0)), isStopWord: StopWords.contains($0)) }
            )
        }
        return (numbers, forms)
    }()

    private static let spelledOut: [String: [String]] = [
        "dont": ["do", "not"], "doesnt": ["does", "not"], "didnt": ["did", "not"], "cant": ["can", "not"],
        "cannot": ["can", "not"], "wont": ["will", "not"], "isnt": ["is", "not"], "arent": ["are", "not"],
        "wasnt": ["was", "not"], "hasnt": ["has", "not"], "havent": ["have", "not"], "wouldnt": ["would", "not"],
        "couldnt": ["could", "not"], "shouldnt": ["should", "not"], "aint": ["is", "not"], "shes": ["she"],
        "hes": ["he"], "hed": ["he"], "theyd": ["they"], "theyve": ["they"], "weve": ["we"], "itll": ["it"],
        "whos": ["who"], "itd": ["it"], "thered": ["there"], "theyre": ["they"], "im": ["i"], "ive": ["i"],
        "id": ["i", "would"],
        "thats": ["that"], "whats": ["what"],
        "shed": ["she", "shed"], "wanna": ["want", "to"], "gonna": ["going", "to"], "em": ["them"], "u": ["you"],
    ]

    static let titles = set("dr mr mrs ms st rev prof sr jr vs no approx")
    static let turning = set(
        "but though although because cause cos cuz except yet while whereas however unless instead pero sino mais"
    )
    static let joining = set("and so then & y et")
    static let subjectPronouns = set("i she he they we it that you nobody everyone ella el nous elle il")
    static let pronouns = set(
        """
        i she he they we it that this who what there here you let one everyone everybody nobody somebody
        someone anyone
        """
    )
    static let copulas = set(
        """
        a an the been got gone not is was so too very really on off in at to being getting always never
        still just done \
        over allergic broken dead my her his our going having like all only also vegan sober pregnant sick
        tired cold dying hoping saving hinting begging asking pestering longing itching banging eyeing after mad crazy
        desperate obsessed into nuts keen wild set looking lusting raving forever up out for back sold
        binned finished dusted history
        """
    )

    static let partnerPronouns = set(
        "she he they her him his hers them their theirs herself himself themselves themself ella elle il lui"
    )
    static let partnerSubjects = set("she he they ella elle il")
    static let couplePronouns = set("we us our ours ourselves nosotros nous")
    static let userPronouns = set("i me my mine myself")

    static let relations = set(
        """
        mom mum mother mama mam mommy dad father papa daddy parents brother sister bro sis son daughter kid
        kids child \
        children nephew niece cousin cousins aunt auntie uncle grandma grandmother grandpa grandfather gran
        nan nana \
        grandad granddad grandson granddaughter grandkids grandbabies inlaw inlaws law stepson stepdaughter
        stepdad stepmom \
        roommate flatmate housemate neighbor neighbour neighbors coworker colleague colleagues boss friend
        friends bestie \
        mate landlord boyfriend girlfriend ex tia tio prima primo hermana hermano abuela abuelo suegra soeur
        frere \
        twin twins toddler teen teenager teacher tutor students manager supervisor doctor dentist vet
        therapist \
        nanny sitter babysitter mil fil bil sil bff godson goddaughter godmother nina padrino papi mami pal
        buddy guy guys lad lads lass youngest eldest oldest lodger landlady tenant stepmother stepfather
        stepbrother
        stepsister stepkids trainer postman hairdresser barber client clients customer apprentice intern
        assistant fiancee fiance boy boys maw weans wean bairn bairns stepmum grandma
        classmate teammate workmate workmates bandmate mates neighbours folks nephews nieces auntie godfather
        godmother godparents inlaws grandchild grandchildren granddad nonna nonno oma opa babushka abuelita
        mama stepdaughter bridesmaid groomsman pupils pupil carer
        """
    )

    static let spouses = set("wife husband hubby wifey missus fiance fiancee spouse girl fella bloke partner")
    static let animals = set(
        """
        dog dogs puppy pup cat cats kitten collie terrier spaniel labrador poodle vet paw paws tail kennel leash bark
        barks meow litter rabbit hamster parrot horse pony mare tortoise howls purrs fur
        """
    )

    static let manyNumbers = set(
        """
        three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen twenty thirty forty
        fifty dozen \
        dozens hundred hundreds million thousand several
        """
    )

    static let wishVerbs = set(
        "want wants wanted wanting wish wishes wished need needs needed fancies fancy craves craving wishing covets"
    )
    static let fillers = set(
        """
        um uh erm er ah oh hmm lol haha tbh omg btw ok okay well like really very just kinda sorta literally
        actually \
        honestly basically totally absolutely so anyway yeah yes yep nah hey hi please ugh wow gosh lord
        damn mean know \
        maybe perhaps probably apparently obviously definitely completely even still already again always ever
        never
        """
    )

    /// Words that name no particular thing.
    static let generic = set(
        """
        thing things stuff one ones kind sort sorts type bit lot lots way ways time times day days week
        weeks month months \
        year years today tomorrow yesterday tonight night nights morning mornings evening evenings weekend
        hour hours minute \
        minutes min mins second seconds people person somebody someone anyone anybody everybody everyone man
        woman guy lady \
        anything everything something nothing half whole rest part couple pair pairs set piece pieces number
        first last \
        next new old big little small great good better best nice nicer bad worse worst same other another
        different more \
        less much many few some any every each own real proper right wrong full empty sure true long short
        high low early \
        late hard easy ready free busy tired happy sad funny crazy weird cute lovely beautiful gorgeous
        amazing perfect \
        birthday christmas anniversary valentine valentines present presents gift gifts wish list idea ideas
        name names \
        place end start top side middle front back fact point reason case word words life world home house
        room wall door \
        table bed floor eye eyes face head hand hands foot feet arm hair body voice mind heart monday
        tuesday wednesday \
        thursday friday saturday sunday january february march april june july august september october
        november december \
        spring summer autumn fall winter two ten once twice ago now then later soon since till until lately
        recently \
        away there here around back off down up out over front inside outside size actual total super wee
        favourite favorite \
        anymore phase craze fad plan plans booked whole gusta desde nina el la los las de des du le les une un
        una por para con que y ella mi
        mucho encanta adore depuis toujours elle il est dans pour avec sur especially usually often
        sometimes almost nearly quite pretty too enough alone together behind apart else instead
        """
    )

    /// Common verbs that name no thing a shop sells.
    private static let plainVerbs: Set<String> = Set(
        set(
            """
            learn learns learned say says said saying tell tells told telling keep keeps kept put puts
            go goes going gone went get gets got getting \
            come comes came take takes took taken make makes made making see sees saw seen seeing look
            looks looked looking find \
            finds found give gives gave given know knows knew known think thinks thought want wants
            wanted need needs needed \
            love loves loved like likes liked hate hates hated try tries tried trying use uses used
            leave leaves left feel feels \
            felt call calls called ask asks asked asking turn turns turned show shows showed shown sit
            sits sat stand stands \
            stood start starts started stop stops stopped talk talks talked talking bring brings brought
            hold holds held let \
            lets seem seems happen happens happened hear hears heard begin begins became become live
            lives lived believe \
            remember remembers forget forgets forgot buy buys bought pay pays paid send sends sent show
            meet met lose loses lost \
            win wins won wait waits waiting follow stay stays stayed fall falls fell grow grows grew
            open opens close closes \
            closed walk-out carry carries carried break breaks broke broken fix fixed mend cry cries
            cried crying laugh laughs \
            laughed smile smiles wear wears wore worn eat eats ate eating drink drinks drank sleep
            sleeps slept wake wakes woke \
            die dies died dying pass passes passed move moves moved watch-out miss misses missed finish
            finished reckon reckons \
            mention mentioned promise promised promising notice noticed catch caught pick picks picked
            pull pulls pulled push \
            throw threw thrown reach hang hangs hung hide hid rub rubbed touch touched fit fits fitted
            pop pops swear swears \
            guess guessing hope hopes hoping wonder mind minds care cares own owns owned supposed able
            been being be is are was \
            were has have had does did do done can could will would should shall may might must ought
            doing having dunno work \
            works worked working mean means meant spend spent cost costs belong belongs hand hands end
            ended sound sounds talk \
            stare stared staring point pointed light lit lights realize realized decide decided admit
            admitted complain \
            complains joke joked joking whisper whispered yell yelled scream screamed sigh sighs mutter
            muttered explain \
            explained describe described wish wishes wished dream dreams dreamed gush gushing rave
            raving grumble grumbled beg \
            begs begged begging keep-up save saves saved check checks checked land lands landed book-in
            arrive arrives \
            remind reminds reminded wind winds hear heard read-out sat sitting standing running-out sulk
            sulked pretend pretends \
            matter matters appear blame thank thanks figure figured handle insist insists quit quits
            please rather gotta
            """
        ).map(stem)
    )

    /// Whether the stem with this fingerprint is such a verb's.
    static func isPlainVerb(_ stem: UInt64) -> Bool { plainVerbNumbers[stem] != nil }

    private static let plainVerbNumbers = FingerprintTable(of: plainVerbs)

    /// By the fingerprints of their stems.
    static func isChore(_ stem: UInt64) -> Bool { choreNumbers[stem] != nil }

    private static let choreNumbers = FingerprintTable(of: chores)

    private static let chores = Set(
        set(
            """
            laundry ironing cleaning dishes washing hoovering vacuuming cooking shopping groceries
            errands taxes paperwork roof gutters commute driving mowing weeding dusting scrubbing
            bathroom admin packing moving
            """
        ).map(stem)
    )

    /// After these a word is a verb or an adjective, not the name of a thing.
    static let beforeNoThing = set(
        """
        she he they it we i you who is was are were be been got get gets goes went so really too very just
        to not never then now
        can will would could did does do should may might she's also still always feels looks seems sounds
        keep keeps kept
        """
    )

    private static let lyNouns = set(
        """
        family belly jelly lily italy july butterfly firefly assembly rally holly dolly fly sally molly
        emily anomaly
        """
    )

    /// "really", "barely": says how, not what.
    static func isAdverb(_ word: String) -> Bool {
        word.utf8.count > 4 && word.utf8.suffix(2).elementsEqual("ly".utf8) && !lyNouns.contains(word)
    }

    static let monthsAndDays = set(
        """
        monday tuesday wednesday thursday friday saturday sunday mon tue tues wed weds thu thurs fri sat sun
        january february \
        march april may june july august september october november december jan feb mar apr jun jul aug sep
        sept oct nov dec \
        weekend weekends weekday weekdays noon midnight lunchtime evening morning afternoon tonight
        """
    )
}
