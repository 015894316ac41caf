import TextReading

/// What pages say in words, in the languages of the countries that are served: `CHintTables/pages.txt` says what each list is.
///
/// Words decide where a page has no data of its own for machines, and leave it open where they contradict its data.
enum PageWording {
    static let soldOut = TableText.pages.phrases("sold out")
    static let alone = TableText.pages.phrases("alone")
    static let wholeLine = TableText.pages.phrases("whole line")
    static let putOff = TableText.pages.phrases("put off")
    static let closedForGood = TableText.pages.phrases("closed for good")
    static let missing = TableText.pages.phrases("missing")
    static let walls = TableText.pages.phrases("walls")
    static let interstitials = TableText.pages.phrases("interstitials")
    static let closedShops = TableText.pages.phrases("closed shops")
    static let relatedHeadings = TableText.pages.phrases("related headings")

    // MARK: As they are searched for

    static let soldOutPhrases = PhraseFinder(soldOut)
    static let alonePhrases = PhraseFinder(alone)
    static let wholeLinePhrases = PhraseFinder(wholeLine)
    static let putOffPhrases = PhraseFinder(putOff)
    static let therePhrases = PhraseFinder(TableText.pages.phrases("there"))
    static let closedPhrases = PhraseFinder(closedForGood)
    static let buyablePhrases = PhraseFinder(TableText.pages.phrases("buyable"))
    static let missingPhrases = PhraseFinder(missing)
    static let wallPhrases = PhraseFinder(walls)
    static let interstitialPhrases = PhraseFinder(interstitials)
    static let closedShopPhrases = PhraseFinder(closedShops)
    static let related = PhraseFinder(relatedHeadings)
    static let liftingPhrases = PhraseFinder(TableText.pages.phrases("lifting"))
    /// Parts of phrases that say that something can't be had, as may be said of more than what is sold.
    static let availabilityStems = PhraseFinder(TableText.pages.words("availability stems"), areWords: false)
    static let wallMarkFinder = PhraseFinder(TableText.pages.phrases("wall marks"), areWords: false)

    // MARK: Words around a phrase

    /// What may stand before a phrase that is said of the item itself.
    static let beside = words("beside")
    /// The same in scripts without spaces, as pieces of what stands there.
    static let gluedBefore = TableText.pages.words("glued before")
    static let gluedBehind = TableText.pages.words("glued behind")
    /// What says by itself on a line that there is some.
    static let thereAlone = Set(TableText.pages.phrases("there alone"))
    /// What makes a phrase a condition, a fear or a memory.
    static let conditions = words("conditions")
    /// What may follow a phrase at once.
    static let followers = words("followers")
    /// What leads on to the next thing that is said.
    static let conjunctions = words("conjunctions")
    /// What a phrase is said of by what follows it, unless that is no place, hour or reason.
    static let places = words("places")
    static let noPlace = words("no place")
    static let articles = words("articles")
    /// What a phrase right before it only describes.
    static let things = words("things")
    /// What an item comes in.
    static let options = words("options")
    static let prices = words("prices")
    /// What numbers a page that is not there, where nothing else is said.
    static let missingNumbers: Set<String> = ["404", "410"]
    static let besideMissing = words("beside missing")

    /// Whether a word before a phrase denies it.
    static func isDenial(_ word: String) -> Bool { denials.contains(word) || word.hasSuffix("n't") }

    private static let denials = words("denials")

    private static func words(_ section: String) -> Set<String> {
        Set(TableText.pages.lines(section).flatMap { PlainLetters.words(of: PlainLetters.plain(Array($0))) })
    }
}
