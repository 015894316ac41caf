/// One search: which queries, which rows, and what is wanted of them.
struct SearchCall {
    /// How many, from the first query on.
    let queries: Int
    /// How many, from the first row on.
    let rows: Int
    var limit = 10
    var threshold: Float = -.infinity
    var threads = 1
    var selection: RowSelection?

    /// A byte code, its scale and its reach: the sheet's measure for all searches by codes.
    ///
    /// One query over many rows reads half of it, and then takes less time than this limit says.
    static let codeBytes = SyntheticVectors.dimension + 8
    static let rowBytes = SyntheticVectors.dimension * 4
}
