import Composition
import Foundation
import JSONDocument
import TestSupport
import Testing

@testable import OperatorVerbs

/// What `doctor` finds wrong, each thing made wrong for real, and what it says to do.
@Suite(.tags(.database)) struct DoctorTests {
    private struct Finding: Equatable {
        let name: String
        let status: String
        let detail: String
    }

    /// All that is not fine, in the order of the checks.
    private func findings(
        on url: String,
        _ environment: [String: String] = [:],
        options: String = ""
    ) async throws -> [Finding] {
        let folder = try ScratchFolder()
        let variables = ["KNOT_CACHE": folder.path, "XDG_STATE_HOME": folder.path].merging(environment) { $1 }
        let script = "\"$KNOT\" doctor --json --model none \(options)"
        let outcome = try await DatabaseCommand.run(script, on: url, environment: variables)
        let json = try JSONParser.parse(outcome.output)
        let checks = try #require(json["checks"]?.array, "\(outcome)").map { check in
            Finding(
                name: check["name"]?.string ?? "",
                status: check["status"]?.string ?? "",
                detail: check["detail"]?.string ?? ""
            )
        }
        let isBroken = checks.contains { $0.status == "fail" }
        // The worst of them says how it ends.
        #expect(outcome.code == (isBroken ? 69 : 0) && json["healthy"]?.bool == !isBroken, "\(outcome)")
        // This machine's zones and kernels are what they are.
        return checks.filter { $0.status != "ok" && !["time zones", "memory"].contains($0.name) }
    }

    /// The one finding, by its name, status and words.
    private func expect(
        _ found: [Finding],
        _ name: String,
        _ status: String,
        _ words: [String],
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        #expect(found.map(\.name) == [name], "\(found)", sourceLocation: sourceLocation)
        guard let first = found.first else { return }
        #expect(first.status == status, "\(found)", sourceLocation: sourceLocation)
        for word in words { #expect(first.detail.contains(word), "\(found)", sourceLocation: sourceLocation) }
    }

    @Test func `an empty database has no extension and no schema`() async throws {
        try await withDatabase(.eighteen, .empty) { database in
            let found = try await findings(on: database.url)
            #expect(
                found.map(\.name) == ["pgvector", "schema"] && found.allSatisfy { $0.status == "fail" },
                "\(found)"
            )
            #expect(found.allSatisfy { $0.detail.contains("knot-recommend migrate") }, "\(found)")
        }
    }

    @Test func `a database without its extension is told of as that`() async throws {
        try await withDatabase(.eighteen, .commandMigrated) { database in
            #expect(try await findings(on: database.url).isEmpty)
            try await database.run("drop extension vector cascade")
            let found = try await findings(on: database.url)
            let vector = try #require(found.first { $0.name == "pgvector" })
            #expect(vector.status == "fail" && vector.detail.contains("create extension vector"))
        }
    }

    @Test func `a role that may not do what a worker does is told what to be granted`() async throws {
        try await withDatabase(.eighteen, .commandMigrated) { database in
            let role = "doctor_\(database.name)"
            try await database.run(
                "create role \(role) login in role knot_worker"
            )
            #expect(try await findings(on: database.url(user: role)).isEmpty)
            try await database.run(
                "revoke knot_worker from \(role); grant usage on schema knot, public to \(role);"
                    + "grant select on knot.knot_migrations, public.catalogue_items to \(role);"
                    + "grant execute on function knot.clock() to \(role)"
            )
            let found = try await findings(on: database.url(user: role))
            let rights = try #require(found.first { $0.name == "rights" }, "\(found)")
            #expect(rights.status == "fail" && rights.detail.contains("grant knot_worker to \(role)"), "\(rights)")
            try await database.run("drop owned by \(role); drop role \(role)")
        }
    }

    @Test(arguments: [(-5, "warn", "behind"), (90, "fail", "ahead")])
    func `a server with another time is told of`(seconds: Int, status: String, way: String) async throws {
        try await withDatabase(.eighteen, .commandMigrated) { database in
            try await database.run(
                """
                create or replace function knot.clock() returns timestamptz language sql stable
                    set search_path = pg_catalog, pg_temp as 'select now() + interval ''\(seconds) seconds'''
                """
            )
            expect(try await findings(on: database.url), "clock", status, ["s \(way)", "NTP"])
        }
    }

    @Test func `an item that is never offered is told of`() async throws {
        try await withDatabase(.eighteen, .commandStocked) { database in
            #expect(try await findings(on: database.url).isEmpty)
            try await database.run(
                """
                update public.catalogue_items set url = 'nowhere'
                where id = (select min(i.id) from public.catalogue_items i)
                """
            )
            expect(try await findings(on: database.url), "catalogue", "warn", ["repair"])
        }
    }

    @Test func `a catalogue or readings that are named and cannot be used are told of`() async throws {
        try await withDatabase(.eighteen, .commandMigrated) { database in
            let folder = try ScratchFolder()
            let line = """
                {"id": "a", "provider": "shopify", "type": "gift", "title": "Map", "url": "https://a.example/a", \
                "currency": "EUR"}
                """
            let build = "\"$KNOT\" catalogue build \(try folder.write(line, to: "a.jsonl")) --catalogue "
            #expect(try await DatabaseCommand.run(build + folder.file("offers"), on: database.url).code == 0)
            let file = try folder.write("{}\n", to: "offers.jsonl")
            let cut = try folder.write("{", to: "readings.json")
            let right = ["KNOT_CATALOGUE": folder.file("offers"), "KNOT_READINGS": folder.path]
            #expect(try await findings(on: database.url, right).isEmpty)
            for path in [folder.file("none"), file, folder.path] {
                expect(try await findings(on: database.url, ["KNOT_CATALOGUE": path]), "offers", "fail", [path])
            }
            let odd = try folder.write("[1]", to: "list.json")
            let vault = try folder.write("{\"schema\": \"knot.vault/1\"}", to: "vault.json")
            for path in [folder.file("none"), cut, odd, vault] {
                expect(try await findings(on: database.url, ["KNOT_READINGS": path]), "readings", "fail", [path])
            }
            let names = try FileManager.default.contentsOfDirectory(atPath: folder.file("offers"))
            let segment = try #require(names.first { $0.hasPrefix("segment") && !$0.hasSuffix("vectors") }, "\(names)")
            let handle = try FileHandle(forUpdating: URL(fileURLWithPath: folder.file("offers/\(segment)")))
            try handle.truncate(atOffset: 100)
            expect(try await findings(on: database.url, right), "offers", "fail", [segment])
        }
    }

    @Test func `a way out that is half set up is told of, and an outbox that is not there`() async throws {
        try await withDatabase(.eighteen, .commandMigrated) { database in
            let webhook = ["KNOT_DELIVERY": "webhook", "KNOT_WEBHOOK_URL": "https://reminders.example/in"]
            expect(try await findings(on: database.url, webhook), "delivery", "fail", ["KNOT_WEBHOOK_KEY"])
            let folder = try ScratchFolder()
            let outbox = ["KNOT_DELIVERY": "outbox", "KNOT_OUTBOX": folder.file("none")]
            expect(try await findings(on: database.url, outbox), "delivery", "fail", [folder.file("none"), "make it"])
            let plain = ["KNOT_DELIVERY": "outbox", "KNOT_OUTBOX": "/bin/sh"]
            expect(try await findings(on: database.url, plain), "delivery", "fail", ["/bin/sh", "is no folder"])
            let there = ["KNOT_DELIVERY": "outbox", "KNOT_OUTBOX": folder.path]
            #expect(try await findings(on: database.url, there).isEmpty)
        }
    }

    @Test func `a service whose key cannot be read is told of, and the key is not`() async throws {
        try await withDatabase(.eighteen, .commandMigrated) { database in
            let broken = ["KNOT_YELP_KEY": "key\ncanary"]
            let found = try await findings(on: database.url, broken)
            expect(found, "services", "fail", ["yelp", "providers list"])
            #expect(!"\(found)".contains("canary"))
            #expect(try await findings(on: database.url, ["KNOT_YELP_KEY": "a-key"]).isEmpty)
        }
    }

    @Test func `a service without calls left today is told of`() {
        let found = OperationChecks.services([ServiceState(name: "yelp", isReady: true, left: 0)])
        #expect(found.status == .warning && found.detail.contains("yelp has no calls left today"))
    }

    @Test func `a full disk is told of, and one that is nearly full`() throws {
        let room = try #require(DiskRoom(of: "/tmp/none/of/these"))
        #expect(room.folder == "/tmp" || room.folder == "/")
        #expect(OperationChecks.disk(room.with(free: 10 << 20)).status == .failure)
        #expect(OperationChecks.disk(room.with(free: 500 << 20)).status == .warning)
        #expect(OperationChecks.disk(room.with(free: 5 << 30)).status == .fine)
        #expect(OperationChecks.disk(room.with(free: 5 << 30, isWithoutFiles: true)).detail.contains("no file can be"))
    }

    @Test func `a processor without kernels of its own is told of, unless that was asked for`() {
        let none = OperationChecks.kernels(.auto, best: "scalar", available: ["scalar"])
        #expect(none.status == .warning && none.detail.contains("AVX2"))
        #expect(OperationChecks.kernels(.named("scalar"), best: "scalar", available: ["scalar"]).status == .fine)
        let own = OperationChecks.kernels(.auto, best: "avx2", available: ["scalar", "sse2", "avx2"])
        #expect(own == DoctorCheck("processor", .fine, "kernels avx2, of scalar, sse2, avx2"))
    }
}

extension DiskRoom {
    fileprivate func with(free: UInt64, isWithoutFiles: Bool = false) -> DiskRoom {
        DiskRoom(folder: folder, disk: disk, free: free, isWithoutFiles: isWithoutFiles)
    }
}
