/// How large each of many dense tables is.
struct TableShape {
    let rows: Int
    let columns: Int
}
