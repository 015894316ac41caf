package import KnotDomain
import TextEncoding

/// What of a phrase may be told to a provider: words that any catalogue knows, and nothing of people, health or addresses.
///
/// A phrase is made of a note, and a note names friends in small letters too. So it is not searched for what looks
/// private: of every phrase only the words are kept that stand in the reviewed tables, and the others are left out.
package struct PublicPhrases {
    /// The folded words that this vault uses as names.
    private let names: Set<String>

    package init(_ vault: Vault) {
        var names = Set(Tokenizer.words(of: vault.partnerName))
        for hint in vault.hints { names.formUnion(Self.capitalised(in: hint.text)) }
        self.names = names
    }

    /// The public part of a phrase that serves; nil where nothing of it is left, or where it tells of somebody's health.
    package func phrase(_ text: String) -> String? {
        kept(text) { Self.vocabulary[$0.fingerprint] != nil }
    }

    /// The public part of a like, which its user named as one: words of no table are things too.
    package func like(_ text: String) -> String? { kept(text) { _ in true } }

    /// The place without what is more exact than a town.
    package func place(_ place: Place?) -> Place? {
        guard let place else { return nil }
        return Place(city: Self.town(place.city), state: Self.town(place.state), country: place.country)
    }

    /// "12 Elm Street, 31201 Macon" is in Macon.
    private static func town(_ name: String?) -> String? {
        guard let name else { return nil }
        let parts = name.split(separator: ",").map { part in
            part.split(whereSeparator: \.isWhitespace).map(String.init)
        }
        let addresses = parts.map { words in
            words.contains { word in word.contains(where: \.isNumber) }
                && words.contains { streets.contains($0.lowercased().filter(\.isLetter)) }
        }
        let towns = zip(parts, addresses).filter { !$1 }.map { words, _ in
            words.filter { !$0.contains(where: \.isNumber) }.joined(separator: " ")
        }
        return towns.first { !$0.isEmpty }
    }

    private static let streets: Set<String> = [
        "street", "st", "road", "rd", "avenue", "ave", "lane", "ln", "drive", "dr", "court", "ct", "way", "square",
        "place",
        "boulevard", "blvd", "rue", "strasse", "straße", "platz", "weg", "via", "calle", "apartment", "apt", "unit",
        "floor",
    ]

    private func kept(_ text: String, isPublic: (Token) -> Bool) -> String? {
        var kept: [String] = []
        var saysSomething = false
        for token in Tokenizer.tokens(of: text, limit: 40) {
            let word = token.text
            if Self.health.contains(token.fingerprint) { return nil }
            if names.contains(word) || word.contains(where: \.isNumber) { continue }
            guard token.isStopWord || isPublic(token) else { continue }
            kept.append(word)
            if !token.isStopWord { saysSomething = true }
        }
        // What stood around a word that was left out joins nothing any more.
        while let last = kept.last, Self.joints.contains(last) { kept.removeLast() }
        while let first = kept.first, Self.joints.contains(first) { kept.removeFirst() }
        return saysSomething ? kept.joined(separator: " ") : nil
    }

    private static let joints: Set<String> = [
        "and", "or", "for", "with", "of", "in", "on", "at", "to", "by", "from", "the", "a", "an", "her", "his", "their",
        "s",
    ]

    /// Words with a capital where none opens a sentence: of these a catalogue's own words are things, unless people are
    /// called so too.
    private static func capitalised(in text: String) -> Set<String> {
        var found: Set<String> = []
        var opens = true
        var isInside = false
        let bytes = text.utf8
        var place = bytes.startIndex
        // By bytes, since most words have no capital and are passed over.
        while place < bytes.endIndex {
            let byte = bytes[place]
            if byte == 0xE2 {
                // Dashes and curly quotes.
                isInside = false
                place = bytes.index(place, offsetBy: 3, limitedBy: bytes.endIndex) ?? bytes.endIndex
                continue
            }
            let isLetter = byte >= 0x80 || (0x61...0x7A).contains(byte | 0x20) || byte == 0x27
            if isLetter, !isInside, (0x41...0x5A).contains(byte) || byte >= 0x80 && text[place].isUppercase {
                for token in Tokenizer.tokens(of: String(text[place...].prefix(40)), limit: 1) {
                    let isName = givenNames.contains(token.text)
                    if isName || !opens && vocabulary[token.fingerprint] == nil { found.insert(token.text) }
                }
            }
            if isLetter { opens = false } else if ".!?:;\"".utf8.contains(byte) { opens = true }
            isInside = isLetter
            place = bytes.index(after: place)
        }
        return found
    }

    /// The stems of the reviewed tables' catalogue words.
    ///
    /// They are kept as a list of their own, which a test holds to the tables, so that a run without rules does not read
    /// the rules' tables for them.
    private static let vocabulary: FingerprintTable = {
        var table = FingerprintTable(capacity: 4_096)
        for line in PackageResources.public_words_txt.split(separator: UInt8(ascii: "\n")) {
            _ = table.number(of: Fingerprint.of(String(decoding: line, as: UTF8.self)))
        }
        return table
    }()

    private static func stems(_ words: String) -> Set<UInt64> {
        Set(words.split(whereSeparator: \.isWhitespace).map { Fingerprint.of(Stemmer.stem(String($0))) })
    }

    /// Given names that are words of a catalogue as well: with a capital they are taken for somebody's.
    private static let givenNames: Set<String> = Set(
        """
        alex amber april art ashley aurora austin autumn avery basil billie cameron carter casey charlie frankie gibson jamie \
        jordan logan madison martin morgan parker riley sam tyler bill bob brooke brooklyn candy carol carolina chase cherry charlotte \
        chelsea clay cliff coral crystal dahlia daisy dale dallas dawn denver dot drew faith fern florence frank gale gene \
        georgia ginger glen grace grant harmony harry hazel heather holly hope hunter iris ivy jack jade jasmine jay jean \
        jerry jewel joy june kerry kelly laurel lily lotus marina mark marigold mason max may melody mercedes mint misty nick \
        olive opal page paris pat pearl penny poppy ray reed rich robin rose rosemary ruby rusty sage sandy sapphire savannah \
        sienna sierra sky summer sue sydney taylor tom tracy \
        dad dada gran granny grandma grandpa mama mom mum nan nana nanna oma opa papa pop pops victoria viola violet virginia will willow wren
        """.split(whereSeparator: \.isWhitespace).map(String.init)
    )

    /// Words that tell of somebody's body or mind.
    private static let health = stems(
        """
        allergy allergies allergic allergen hypoallergenic asthma asthmatic wheeze wheezing inhaler diabetes diabetic insulin
        glucose celiac coeliac gluten lactose intolerance intolerant surgery surgical operation sober sobriety rehab addiction
        recovery pregnant pregnancy maternity prenatal postnatal postpartum doula midwife nursing breastfeeding lactation ivf
        fertility miscarriage menopause migraine headache arthritis arthritic rheumatism reflux cholesterol hypertension
        anxiety anxious depression depressed depressive stress panic therapy therapist therapeutic counselling counseling
        grief grieving bereavement cancer chemo chemotherapy oncology tumour tumor knee kneeler tendon tendonitis ligament
        sprain fracture orthopedic orthopaedic physio physiotherapy physiotherapist chiropractor doctor physician nurse medic
        medical medicine medication medicinal prescription pill blood heart cardiac stroke insomnia apnea fatigue
        burnout adhd autism autistic dyslexia dementia alzheimer parkinson epilepsy seizure raynaud eczema psoriasis acne
        wheelchair crutch prosthetic hearing deaf blind eyesight glaucoma cataract disability disabled chronic pain painful ache
        sciatica brace splint injury injured wound illness disease syndrome disorder diagnosis symptom obesity diet
        dietary thyroid kidney liver stomach bowel bladder incontinence vertigo tinnitus concussion trauma ptsd
        """
    )
}
