import Testing

@testable import PostgresClient

@Suite("A query")
struct SQLQueryTests {
    @Test func `sends every interpolated value as a bind`() {
        let name = "x'; drop table hints; --"
        let query: SQLQuery = "select * from hints where hint_text = \(name) and n > \(3)"
        #expect(query.text == "select * from hints where hint_text = $1 and n > $2")
        #expect(query.binds.map(\.type) == [.text, .int8])
        #expect(query.binds[0].bytes == Array(name.utf8))
    }

    @Test func `numbers the binds of fragments anew`() {
        let inner: SQLQuery = "b = \(2) or c = \(3)"
        let query: SQLQuery = "a = \(1) and (\(fragment: inner)) and d = \(4)"
        #expect(query.text == "a = $1 and (b = $2 or c = $3) and d = $4")
        #expect(query.binds.count == 4)
    }

    @Test func `joins rows of values with commas`() {
        let rows = (1...3).map { number in SQLQuery("(\(number), \("t\(number)"))") }
        let query = SQLQuery.joined(rows, by: ", ")
        #expect(query.text == "($1, $2), ($3, $4), ($5, $6)")
    }

    @Test func `takes unescaped text as it stands`() {
        let query: SQLQuery = "select 1 \(unescaped: "order by 1")"
        #expect(query.text == "select 1 order by 1")
        #expect(query.binds.isEmpty)
    }

    @Test func `sends nil as a null of its type`() {
        let nothing: PostgresUUID? = nil
        let query: SQLQuery = "select \(nothing)"
        #expect(query.binds == [SQLBind(.uuid, nil)])
    }

    @Test(arguments: ["\0", "a\0b"])
    func `knows a text with U+0000 before it is sent`(text: String) {
        #expect(text.bind.flaw == .zeroInText)
        #expect(["a", text].bind.flaw == .zeroInText)
    }
}
