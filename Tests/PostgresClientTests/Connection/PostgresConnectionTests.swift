import TestSupport
import Testing

@testable import PostgresClient

@Suite("A connection", .tags(.database), .needs(.fifteen), .database(.fifteen))
struct PostgresConnectionTests {
    @Test func `takes hostile values as data`() async throws {
        let connection = try await openConnection()
        try await connection.runScript("create table notes (id int8, body text)")
        let hostile = [
            "'; drop table notes; --", "\\'; drop table notes; --", "$1", "$$", "%s", "\u{2028}", "'||(select 1)||'",
            "\\x00",
        ]
        for (id, body) in hostile.enumerated() {
            _ = try await connection.run("insert into notes values (\(id), \(body))")
        }
        let rows = try await connection.run("select body from notes order by id")
        #expect(try rows.map { row throws(PostgresError) in try row.decode("body", as: String.self) } == hostile)
    }

    @Test func `refuses U+0000 before anything is sent, and works on`() async throws {
        let connection = try await openConnection()
        for query in ["select \("a\0b")", "select \(["\0"])"] as [SQLQuery] {
            let error = try await errorOf { () async throws(PostgresError) in try await connection.run(query) }
            #expect(error.code == .invalidText)
            #expect(error.sqlState == nil)
        }
        #expect(connection.isUsable)
        #expect(try await connection.run("select 1 as one").only().decode("one", as: Int.self) == 1)
    }

    @Test func `tells every failure of the server by its code, and works on`() async throws {
        let connection = try await openConnection()
        try await connection.runScript(
            """
            create table parents (id int primary key);
            create table things (id int primary key, amount int not null constraint amount_positive check (amount > 0),
                parent int references parents (id));
            insert into things values (1, 1);
            """
        )
        let cases: [(SQLQuery, PostgresError.Code)] = [
            ("insert into things values (1, 1)", .uniqueViolation),
            ("insert into things values (2, 0)", .checkViolation),
            ("insert into things values (2, null)", .notNullViolation),
            ("insert into things values (2, 1, 7)", .foreignKeyViolation), ("select * from absent", .undefinedObject),
            ("selec 1", .invalidStatement), ("select 'secretvalue'::int", .invalidValue), ("select 1/0", .invalidValue),
            ("create table things (id int)", .duplicateObject),
        ]
        for (query, code) in cases {
            let error = try await errorOf { () async throws(PostgresError) in try await connection.run(query) }
            #expect(error.code == code)
            #expect(!error.isPoisoning)
            #expect(!"\(error)".contains("secretvalue"))
        }
        let check = try await errorOf { () async throws(PostgresError) in
            try await connection.run("insert into things values (2, 0)")
        }
        #expect(check.constraint == "amount_positive")
        #expect(check.table == "things")
        #expect(connection.isUsable)
    }

    @Test func `goes on after notices`() async throws {
        let connection = try await openConnection()
        try await connection.runScript("do $$ begin raise notice 'softly'; raise warning 'louder'; end $$")
        #expect(connection.isUsable)
    }

    @Test func `runs a pipeline as one transaction, the first failure undoes all`() async throws {
        let connection = try await openConnection()
        try await connection.runScript("create table numbers (n int8 unique)")
        let error = try await errorOf { () async throws(PostgresError) in
            try await connection.pipeline(
                [
                    "insert into numbers values (\(1))", "insert into numbers values (\(1))",
                    "insert into numbers values (\(2))",
                ]
            )
        }
        #expect(error.code == .uniqueViolation)
        #expect(try await connection.run("select count(*) as n from numbers").only().decode("n", as: Int.self) == 0)
    }

    @Test func `sees its prepared statements follow a changed table`() async throws {
        let connection = try await openConnection()
        try await connection.runScript("create table shapes (a int8); insert into shapes values (1)")
        _ = try await connection.run("select * from shapes")
        try await connection.runScript("alter table shapes add b text")
        // The first run after the change may be refused; the statement is prepared anew for the second.
        let first: Int?
        do throws(PostgresError) { first = try await connection.run("select * from shapes").columns.count } catch {
            first = nil
        }
        #expect(first == nil || first == 2)
        #expect(try await connection.run("select * from shapes").columns.count == 2)
    }

    @Test func `keeps few statements prepared`() async throws {
        let connection = try await openConnection()
        for round in 0..<2 {
            let queries = (0..<300).map { SQLQuery(unescaped: "select \($0)") }
            for chunk in 0..<3 {
                let rows = try await connection.pipeline(Array(queries[chunk * 100..<chunk * 100 + 100]))
                #expect(rows.count == 100, "round \(round)")
            }
        }
        let held = try await connection.run("select count(*) as n from pg_prepared_statements").only()
        #expect(try held.decode("n", as: Int.self) <= 400)
    }

    @Test func `carries more than the buffers of both sides hold`() async throws {
        let connection = try await openConnection()
        let long = String(repeating: "x", count: 300_000)
        let queries = (0..<60).map { SQLQuery("select \(long) as text, \($0) as n") }
        let rows = try await connection.pipeline(queries, until: LastResort.end)
        for (number, answer) in rows.enumerated() {
            let row = try answer.only()
            #expect(try row.decode("n", as: Int.self) == number)
            #expect(try row.decode("text", as: String.self).utf8.count == long.utf8.count)
        }
    }

    @Test func `refuses a statement that copies rows, and ends`() async throws {
        let connection = try await openConnection()
        let error = try await errorOf { () async throws(PostgresError) in
            try await connection.run("copy (select 1) to stdout")
        }
        #expect(error.code == .misuse)
        #expect(!connection.isUsable)
    }

    @Test func `is told that the server takes no writes, and may not be used again`() async throws {
        let database = try #require(TestDatabase.current)
        try await database.run("alter database \(database.name) set default_transaction_read_only = on")
        let connection = try await openConnection()
        let error = try await errorOf { () async throws(PostgresError) in
            try await connection.run("create table t (n int)")
        }
        #expect(error.code == .readOnly)
        #expect(error.isPoisoning)
    }

    @Test func `is closed for good once it is closed`() async throws {
        let connection = try await openConnection()
        await connection.close()
        let error = try await errorOf { () async throws(PostgresError) in try await connection.run("select 1") }
        #expect(error.code == .connectionLost)
        #expect(!connection.isUsable)
    }
}
