/// How large each of many small searches is.
struct VaultShape {
    let rows: Int
    let queries: Int
    let limit: Int
}
