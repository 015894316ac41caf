import KnotDomain
import TextEncoding

/// A note in whole sentences, each together with the turn that follows it: what a card may quote without twisting it.
///
/// "She loved the lake. Never again though." is one piece, since its first half alone says the opposite.
package struct NoteSentences {
    /// Pieces of the note as they stand in it, in order; together they are all of it.
    package let pieces: [String]

    package init(_ note: String) {
        var pieces: [String] = []
        for sentence in Self.sentences(of: note) {
            if let last = pieces.last, Self.isTurn(sentence.text) {
                pieces[pieces.count - 1] = last + sentence.gap + sentence.text
            } else {
                pieces.append(sentence.text)
            }
        }
        self.pieces = pieces
    }

    private typealias Sentence = (gap: String, text: String)

    /// The sentences and what stands between each and the one before.
    private static func sentences(of note: String) -> [Sentence] {
        var sentences: [Sentence] = []
        var gap = ""
        var text = ""
        var ends = false
        func close() {
            if !text.isEmpty { sentences.append((gap, text)) }
            (gap, text, ends) = ("", "", false)
        }
        for character in note {
            if character.isNewline || (ends && character.isWhitespace) {
                if ends || character.isNewline { close() }
                gap.append(character)
            } else if text.isEmpty, character.isWhitespace {
                gap.append(character)
            } else {
                text.append(character)
                ends = isEnd(character, after: text) || (ends && closers.contains(character))
            }
        }
        close()
        return sentences
    }

    private static let closers: Set<Character> = ["\"", "\u{201D}", "'", "\u{2019}", ")"]
    private static let titles: Set<String> = [
        "dr.", "mr.", "mrs.", "ms.", "st.", "vs.", "e.g.", "i.e.", "etc.", "no.", "prof.", "jr.", "sr.",
    ]

    /// A full stop behind a title or a single letter ends nothing.
    private static func isEnd(_ character: Character, after text: String) -> Bool {
        switch character {
        case "!", "?", ";", "\u{2026}": return true
        case ".":
            let word = text.suffix(while: { !$0.isWhitespace }).lowercased()
            return word.count > 2 && !titles.contains(word)
        default: return false
        }
    }

    /// Whether a sentence takes back, narrows or goes on with the one before it.
    private static func isTurn(_ sentence: String) -> Bool {
        let words = TokenizedText(sentence, limit: 5).words
        // Two words are no thought of their own.
        guard words.count > 2, let first = words.first else { return true }
        return links[first.word] != nil || words.contains { turns[$0.word] != nil }
    }

    /// What points back to the sentence before.
    private static let links = FingerprintTable(
        of: [
            "and", "or", "so", "because", "cause", "also", "then", "that", "this", "it", "its", "which", "who", "same",
        ]
    )

    private static let turns = FingerprintTable(
        of: """
            but not no never nor except although though however yet only unless until till without instead nobody nothing
            none neither hardly cannot can't won't don't doesn't didn't isn't wasn't wouldn't shouldn't ain't stop stopped
            refuse refuses hate hates over done enough anymore apart otherwise rather than
            """.split(whereSeparator: \.isWhitespace).map(String.init)
    )
}

extension String {
    /// The longest end of the text whose characters all fit.
    fileprivate func suffix(while fits: (Character) -> Bool) -> Substring {
        var start = endIndex
        while start > startIndex, fits(self[index(before: start)]) { start = index(before: start) }
        return self[start...]
    }
}

/// Words of illness, grief and worry: a note that has one is nobody's headline, though it may well be the reason.
package enum DelicateWords {
    /// Whether a text speaks of somebody's health, grief or worries.
    package static func areIn(_ text: String) -> Bool {
        TokenizedText(text, limit: 400).words.contains { stems.contains($0.stem) }
    }

    private static let stems = StemSet(
        """
        ache aching addict addiction adhd alcohol alcoholic allergic allergy alzheimer ambulance anaemia angina ankle anxiety
        anxious appendix arrhythmia arthritic arthritis asleep asthma autism autistic bankrupt bedrest biopsy bipolar bleed
        blister bowel breakdown breathless bruise burnout cancer cast cataract celiac chemo cholesterol clinic coeliac
        concussion constipation cramp cried cry crying crutch custody dead deaf death debt dementia dentist depressed
        depression dermatologist diabetes diabetic diagnosed diagnosis dialysis die died diet dizzy divorce doctor dr drinking
        drunk dying dyslexia ecg eczema ekg embarrassed endometriosis epilepsy epipen evicted exhausted fainted fertility
        fever flu fired foreclosure fracture funeral glaucoma gout grave grief grieving gynaecologist headache heartburn
        hernia hip hormone hospice hospital hurt ibs icu ill illness injection injured injury insomnia insulin ivf jaw joint
        kidney knee lactose layoff liver lonely lonesome lump lupus mammogram medication medicine meds menopause migraine
        miscarriage mourning mri nausea nerve neurologist nurse obese oncologist operation osteoporosis overdose overweight
        pacemaker pain painful palpitation panic paramedic parkinson pill plantar pneumonia postpartum prednisone pregnancy
        pregnant prescription psychiatrist ptsd rash redundancy reflux rehab relapse sad scan scar scared sciatica sclerosis
        seizure separated shingle shin shoulder sick sickness sinus sober sobriety sore specialist spine sprain steroid
        stitches stroke suicide surgeon surgery swollen symptom tendon terminal therapist therapy thyroid tinnitus toenail
        transplant trauma tremor tumor tumour ulcer unemployed unwell vertigo ward weep wept weight wheelchair widow widower
        worried worry wound wrist
        """.split(whereSeparator: \.isWhitespace).map { Stemmer.stem(String($0)) }
    )
}

/// Turns of phrase with which a note speaks against its thing: no card says that it goes with such a note.
///
/// What a note rules out in plain words is the reader's to find; these are disgust, embarrassment and what was given back,
/// in which there is no "no". A note that is only doubtful loses a quote, which is less than one that turns on its card.
package enum SpeaksAgainst {
    /// Whether the note has such a turn.
    package static func isIn(_ note: String) -> Bool {
        let text = TokenizedText(note, limit: 400)
        return text.words.contains { words[$0.word] != nil } || turns.contains(where: text.contains)
    }

    private static let words = FingerprintTable(
        of: """
            stinks stink stank stunk reeks reeked yuck ew eww bleugh disgusting revolting repulsive vile mortified mortifying
            cringe cringed cringes squirmed squirms sulked sulks seasick carsick airsick jetlagged repelled appalled ghastly
            """.split(whereSeparator: \.isWhitespace).map(String.init)
    )

    private static let turns: [Phrase] = """
        cannae be doing; cannae be daein; cannae abide; cannae stick; cannae thole; can't be doing; cannot be doing
        can't abide; cannot abide; can't bear; cannot bear; no touch; willnae touch; wouldnae touch; wouldn't touch
        never again; not again; that's that; that was that; made a show of; made a fool of; making a show of
        made to look; laughing stock; walked out; stormed out; gave it back; gave them back; took it back; took them back
        sent it back; sent them back; handed it back; back at the shop; back to the shop; back at the store
        back to the store; no thanks; no thank you; not my thing; not her thing; not his thing; not their thing
        put her off; put him off; put them off; gives her the creeps; gives him the creeps; gives them the creeps
        bored to tears; bored stiff; waste of money; waste of time; what a waste; jet lag; motion sickness
        turned his stomach; turned her stomach; turned their stomach; made her gag; made him gag
        """.split { $0.isNewline || $0 == ";" }.map { Phrase(String($0), isExact: true) }
}
