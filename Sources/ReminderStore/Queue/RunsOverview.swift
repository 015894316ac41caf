import JSONDocument
import Operations
import PostgresClient

/// What stored runs say of their nodes and of the providers that they asked.
enum RunsOverview {
    /// Runs that the providers are judged by.
    private static let lastRuns = 200

    /// A provider that no adapter is connected for was not asked.
    static let providers: SQLQuery = """
        select n.node ->> 0 as name, pg_catalog.count(*) as asked,
            pg_catalog.count(*) filter (where n.node ->> 7 is not null) as failed,
            pg_catalog.percentile_cont(0.5) within group (order by (n.node ->> 4)::double precision) as took,
            (pg_catalog.array_agg(n.node ->> 7 order by r.created_at desc)
                filter (where n.node ->> 7 is not null))[1] as code
        from (
            select s.created_at, s.timings from public.recommendation_runs s
            where s.timings is not null order by s.created_at desc, s.id limit \(lastRuns)
        ) r
        cross join lateral pg_catalog.jsonb_array_elements(
            case pg_catalog.jsonb_typeof(r.timings -> 'nodes') when 'array' then r.timings -> 'nodes' else '[]' end
        ) as n (node)
        where n.node ->> 1 = 'source.provider' and n.node ->> 7 is distinct from 'not_connected'
            and n.node ->> 3 is not null
        group by 1 order by 1
        """

    /// Those that were asked, and those that nobody has asked and a quota is known of.
    static func providers(
        _ rows: Rows?,
        _ quotas: [String: OperationsOverview.Quota]
    ) throws(PostgresError) -> [OperationsOverview.Provider] {
        var found: [OperationsOverview.Provider] = []
        if let rows {
            for place in 0..<rows.count {
                let row = rows[place]
                let name: String = try row.decode("name")
                found.append(
                    OperationsOverview.Provider(
                        name: name,
                        asked: try row.decode("asked"),
                        failed: try row.decode("failed"),
                        took: try row.decode("took"),
                        code: try row.decode("code"),
                        left: quotas[name]?.left,
                        quota: quotas[name]?.calls
                    )
                )
            }
        }
        for (name, quota) in quotas where !found.contains(where: { $0.name == name }) {
            found.append(
                OperationsOverview.Provider(
                    name: name,
                    asked: 0,
                    failed: 0,
                    took: nil,
                    code: nil,
                    left: quota.left,
                    quota: quota.calls
                )
            )
        }
        return found.sorted { $0.name < $1.name }
    }

    /// The nodes of one run; none where it kept nothing, or something else.
    static func nodes(_ timings: JSONValue?) -> [OperationsOverview.Node] {
        let nodes = timings?["nodes"]?.array ?? []
        let names = nodes.map { $0.array?.first?.string ?? "" }
        return nodes.compactMap { node in
            guard let parts = node.array, parts.count >= 9, let name = parts[0].string, let state = parts[2].string
            else { return nil }
            return OperationsOverview.Node(
                name: name,
                state: state,
                start: parts[3].double,
                took: parts[4].double,
                incoming: parts[5].int,
                outgoing: parts[6].int,
                after: (parts[8].array ?? []).compactMap(\.int).filter(names.indices.contains).map { names[$0] }
            )
        }
    }
}
