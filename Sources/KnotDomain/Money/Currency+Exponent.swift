extension Currency {
    /// How many digits of the amount lie behind the point, as ISO 4217 lists them.
    package var exponent: Int { Self.exponents[code] ?? 2 }

    private static let exponents: [String: Int] = {
        let digits: [Int: String] = [
            0: "BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF",
            3: "BHD IQD JOD KWD LYD OMR TND",
            4: "CLF UYW",
        ]
        var table: [String: Int] = [:]
        for (exponent, codes) in digits {
            for code in codes.split(separator: " ") { table[String(code)] = exponent }
        }
        return table
    }()
}
