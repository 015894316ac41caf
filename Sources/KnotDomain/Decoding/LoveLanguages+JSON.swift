package import JSONDocument

extension LoveLanguages {
    /// Reads the two love languages and notes every problem; nil when there was one.
    package init?(reading reader: JSONReader) {
        let primary = reader.required("primary")?.choice(LoveLanguage.self)
        let secondary = reader.required("secondary")?.choice(LoveLanguage.self)
        guard let primary, let secondary else { return nil }
        guard primary != secondary else {
            reader.note("must differ from the primary one", at: "secondary")
            return nil
        }
        self.init(primary: primary, secondary: secondary)
    }

    package var json: JSONValue {
        ["primary": .string(primary.rawValue), "secondary": .string(secondary.rawValue)]
    }
}
