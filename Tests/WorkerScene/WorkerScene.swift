package import ChoiceService
import Composition
package import Delivery
import FileInput
import JSONDocument
package import KnotDomain
package import PostgresClient
import Recommendation
package import ReminderStore
import Scheduling
import Shipped
import StageGraph
import VaultStore
package import Worker

/// People with one vault each and a birthday on 16 May, on a database whose queue thinks that it is noon, 9 May.
///
/// The queue's clock goes on from there, so that leases run out as anywhere.
package struct WorkerScene: Sendable {
    /// 9 May 2026 at noon in London, where everybody lives.
    package static let noon = Instant(millisecondsSinceEpoch: 1_778_324_400_000)
    package static let birthday = CivilDate(daysSinceEpoch: 20_589)

    package let url: String
    package let pool: ConnectionPool

    /// Opens a database as the role of workers.
    package init(url: String, connections: Int = 8) throws(PostgresError) {
        self.url = url
        pool = try ConnectionPool(to: ConnectionTarget(url: url), PoolSettings(limit: connections, waitsForRoom: true))
    }

    // MARK: Stock

    /// Puts people into a database, as its owner: each is a copy of one judged vault under ids of their own.
    package static func stock(_ url: String, people: Int, fixture: [UInt8]) async throws {
        let pool = try ConnectionPool(to: ConnectionTarget(url: url), PoolSettings(limit: 1))
        for person in 0..<people {
            let document = try FixtureDocument(parsing: copy(of: fixture, number: person))
            _ = try await VaultImporter(pool).add(document, until: .now + .seconds(1_200))
        }
        let connection = try await PostgresConnection.connect(to: pool.target)
        try await connection.runScript(
            """
            create table knot.start as select now() as at;
            grant select on knot.start to public;
            update public.users set timezone = 'Europe/London', notifications_enabled = true;
            create or replace function knot.clock() returns timestamptz language sql stable
                set search_path = pg_catalog, pg_temp
                as 'select now() + interval ''\(noon.millisecondsSinceEpoch) milliseconds'' - (
                    select l.at - timestamptz ''epoch'' from knot.start l)';
            """
        )
        await connection.close()
        await pool.close()
    }

    /// The same document with other ids, always the same ones for the same number.
    private static func copy(of bytes: [UInt8], number: Int) -> [UInt8] {
        var copy = bytes
        var place = 0
        while place + 36 <= copy.count {
            guard isID(copy[place..<place + 36]) else {
                place += 1
                continue
            }
            // Eight digits of an id that say whose it is.
            let digits = Array("0000000\(String(number, radix: 16))".utf8.suffix(7))
            for offset in 0..<7 { copy[place + offset] = digits[offset] }
            place += 36
        }
        return copy
    }

    private static func isID(_ bytes: ArraySlice<UInt8>) -> Bool {
        for (offset, byte) in bytes.enumerated() {
            let isDigit = (0x30...0x39).contains(byte) || (0x61...0x66).contains(byte)
            if [8, 13, 18, 23].contains(offset) ? byte != 0x2D : !isDigit { return false }
        }
        return true
    }

    // MARK: Worker

    package var queue: PostgresJobQueue { PostgresJobQueue(pool) }

    /// A service over this database's vaults, by the pipeline that everybody has.
    package func service(_ points: PointWatch = .none) throws -> ChoiceService {
        ChoiceService(
            try Self.patientPlan(),
            vaults: SceneVaults(pool: pool, points: points),
            choices: PointedChoices(store: StoredChoices(pool, .unlimited), points: points),
            threads: 2
        )
    }

    /// The pipeline that everybody has, with time for the slowest machine: no set of a test hangs on who was in time.
    private static func patientPlan() throws -> Plan {
        let source: JSONValue = ["wait": "900s", "life": "1000s"]
        let names = ["yelp", "ticketmaster", "amazon", "shopify", "firecrawl"]
        let nodes = JSONObject(names.map { .init(name: $0, value: source) })
        let patience = ExperimentLayer(
            file: "patience.json",
            patch: ["deadline": "1200s", "nodes": .object(nodes)]
        )
        let definition = try PipelineLoader(source: ShippedPipelines())
            .load(ShippedPipelines.standard, experiments: [patience])
        return try Plan(definition, catalog: .knot)
    }

    package func worker(
        _ id: WorkerID = .random,
        queue: (any JobQueue)? = nil,
        delivery: any NoticeDelivery,
        observer: any WorkerObserver = WorkerObservers([]),
        settings: WorkerSettings = .quick,
        points: PointWatch = .none
    ) throws -> ReminderWorker {
        ReminderWorker(
            id,
            queue: queue ?? PointedQueue(queue: self.queue, points: points),
            maker: TrioMaker(try service(points), atOnce: settings.choosesAtOnce) { error in
                ReminderVerdict.of(error)
            },
            delivery: PointedDelivery(delivery: delivery, points: points),
            observer: observer,
            settings: settings
        )
    }
}

extension WorkerSettings {
    /// For tests: little patience.
    package static var quick: WorkerSettings {
        var settings = WorkerSettings()
        settings.shortestPoll = .milliseconds(20)
        settings.longestPoll = .milliseconds(100)
        settings.rescuesEvery = .milliseconds(200)
        settings.choosesAtOnce = 2
        settings.endingPauses = [.milliseconds(20), .milliseconds(50)]
        return settings
    }
}

extension WorkerID {
    /// A fresh name for one start.
    package static var random: WorkerID { WorkerID(PostgresUUID.random().description) }
}
