package import JSONDocument

extension Place {
    /// Reads a place whose parts may each be unknown.
    package init?(reading reader: JSONReader) {
        guard reader.value.object != nil else {
            reader.note("expected an object, found \(reader.value.kindName)")
            return nil
        }
        let city = reader.optional("city")?.optionalText(limit: TextLimit.name)
        let state = reader.optional("state")?.optionalText(limit: TextLimit.name)
        var country = reader.optional("country")?.optionalText(limit: TextLimit.name)?.uppercased()
        if let code = country {
            let isCode = code.utf8.count == 2 && code.utf8.allSatisfy { (0x41...0x5A).contains($0) }
            if !isCode {
                reader.note("expected a country's code of two letters, found \"\(code.prefix(40))\"", at: "country")
                country = nil
            }
        }
        self.init(city: city, state: state, country: country)
    }

    package var json: JSONValue {
        ["city": JSONValue(city), "state": JSONValue(state), "country": JSONValue(country)]
    }
}
