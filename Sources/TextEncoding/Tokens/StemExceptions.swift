/// Words that the stemmer's rules would get wrong.
enum StemExceptions {
    /// Irregular plurals, words that must not meet another one, and spelling variants.
    static let irregular: [String: String] = [
        "women": "woman", "men": "man", "children": "child", "feet": "foot", "teeth": "tooth", "mice": "mouse",
        "geese": "goose", "oxen": "ox", "knives": "knife", "wolves": "wolf", "leaves": "leaf", "loaves": "loaf",
        "scarves": "scarf", "shelves": "shelf", "wives": "wife", "halves": "half", "calves": "calf", "elves": "elf",
        "goose": "goose", "clothes": "clothes", "clothing": "clothes", "cloth": "cloth", "buses": "bus", "gases": "gas",
        "quizzes": "quiz", "quizzing": "quiz", "sky": "sky", "skies": "sky", "skiing": "ski", "skied": "ski",
        "chilly": "chilly", "suite": "suite", "suites": "suite", "paste": "paste", "pastes": "paste", "caste": "caste",
        "forte": "forte", "goods": "goods", "shorts": "shorts", "customs": "customs", "news": "news", "being": "being",
        "used": "use", "shoe": "shoe", "shoes": "shoe", "canvases": "canvas", "lenses": "lens", "irises": "iris",
        "oases": "oasis", "analyses": "analysis", "theatre": "theater", "theatres": "theater", "centre": "center",
        "centres": "center", "fibre": "fiber", "fibres": "fiber", "litre": "liter", "litres": "liter", "metre": "meter",
        "metres": "meter", "jewellery": "jewelri", "grey": "gray", "greys": "gray", "cosy": "cozi", "whiskey": "whiski",
        "whiskeys": "whiski", "pyjama": "pajama", "pyjamas": "pajama", "doughnut": "donut", "doughnuts": "donut",
        "yoghurt": "yogurt", "yoghurts": "yogurt", "moustache": "mustach", "catalogue": "catalog",
        "catalogues": "catalog", "dialogue": "dialog", "programme": "program", "programmes": "program",
        "cheque": "check", "woollen": "woolen", "omelette": "omelet", "omelettes": "omelet",
    ]

    /// Whether a look-up is worth its hashing: some exception has this first letter and length.
    static func mayBeIrregular(_ word: [UInt8]) -> Bool {
        guard let first = word.first, first >= UInt8(ascii: "a"), first <= UInt8(ascii: "z"), word.count < 64 else {
            return false
        }
        return irregularLengths[Int(first - UInt8(ascii: "a"))] & (1 << UInt64(word.count)) != 0
    }

    private static let irregularLengths: [UInt64] = {
        var lengths = [UInt64](repeating: 0, count: 26)
        for word in irregular.keys {
            if let first = word.utf8.first { lengths[Int(first - UInt8(ascii: "a"))] |= 1 << UInt64(word.utf8.count) }
        }
        return lengths
    }()

    /// Nouns in -ing that are no form of the shorter word: an earring is no ear, boxing no box.
    static let nouns: Set<String> = [
        "anything", "blessing", "boxing", "bowling", "building", "canning", "ceiling", "darling", "during", "dumpling",
        "earring", "evening", "everything", "fencing", "herring", "icing", "inning", "legging", "lightning", "morning",
        "nothing", "offspring", "outing", "pudding", "sibling", "something", "sterling", "stocking", "viking",
        "wedding",
        "wing",
    ]

    private static let singulars: Set<String> = [
        "always", "alias", "amaryllis", "atlas", "axis", "bias", "cannabis", "canvas", "chaos", "chassis", "christmas",
        "clematis", "cosmos", "davis", "elvis", "gas", "iris", "kansas", "lagos", "lens", "mars", "metropolis",
        "overseas",
        "pancreas", "paris", "pelvis", "perhaps", "series", "species", "tennis", "texas", "this", "trellis", "vegas",
    ]

    /// Whether a word that ends in one "s" is no plural.
    static func isSingular(_ word: [UInt8], text: String) -> Bool {
        if word.count >= 5, word.suffix(2).elementsEqual("is".utf8) {
            let root = word.dropLast(2).suffix(2)
            if ["ys", "es", "as", "it"].contains(where: { root.elementsEqual($0.utf8) }) { return true }
        }
        return singulars.contains(text)
    }
}
