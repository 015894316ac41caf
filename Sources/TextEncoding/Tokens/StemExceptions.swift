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

    /// Nouns in -ing that are no form of the shorter word: an earring is no ear, boxing no box.
    static let nouns: Set<String> = [
        "anything", "blessing", "boxing", "bowling", "building", "canning", "ceiling", "darling", "during", "dumpling",
        "earring", "evening", "everything", "fencing", "herring", "icing", "inning", "legging", "lightning", "morning",
        "nothing", "offspring", "outing", "pudding", "sibling", "something", "sterling", "stocking", "viking",
        "wedding",
        "wing",
    ]

    /// Words in -s that are no plural.
    static let singulars: Set<String> = [
        "always", "alias", "amaryllis", "atlas", "axis", "bias", "cannabis", "canvas", "chaos", "chassis", "christmas",
        "clematis", "cosmos", "davis", "elvis", "gas", "iris", "kansas", "lagos", "lens", "mars", "metropolis",
        "overseas",
        "pancreas", "paris", "pelvis", "perhaps", "series", "species", "tennis", "texas", "this", "trellis", "vegas",
    ]
}
