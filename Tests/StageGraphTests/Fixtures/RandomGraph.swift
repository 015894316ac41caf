import JSONDocument
import StageGraph

/// A random pipeline over pebbles with random moods, all from one seed.
struct RandomGraph {
    private(set) var nodes: [JSONValue] = []
    private(set) var quarry = Quarry()
    private(set) var sources: [String] = []
    private var generator: SeededGenerator
    private let isTimed: Bool

    /// Makes the graph of a seed; only a timed one has nodes that stall, wait, live or are slow, and so may differ.
    init(seed: UInt64, isTimed: Bool) {
        generator = SeededGenerator(seed: seed)
        self.isTimed = isTimed
        build()
    }

    var definition: JSONValue {
        [
            "schema": "knot.pipeline/1", "name": "random", "deadline": .string(isTimed ? "150ms" : "5s"),
            "result": "check", "nodes": .array(nodes),
        ]
    }

    private mutating func build() {
        add("limit", "reader.limit", [:], mayFail: false)
        for index in 0..<Int.random(in: 1...5, using: &generator) {
            let id = "s\(index)"
            sources.append(id)
            add(id, "source.pebbles", [:], parameters: ["count": .integer(Int.random(in: 0...12, using: &generator))])
        }
        var pools: [String] = []
        for index in 0..<Int.random(in: 1...3, using: &generator) {
            let chosen = sources.filter { _ in chance(0.7) }
            let id = "h\(index)"
            add(id, "aggregate.heap", ["pools": JSONValue(chosen.isEmpty ? sources : chosen)])
            pools.append(id)
        }
        add("all", "aggregate.heap", ["pools": JSONValue(pools)], mayFail: chance(0.2))
        let pool = filtered("all")
        var scorers: [String] = []
        for index in 0..<Int.random(in: 1...4, using: &generator) {
            let curve: JSONValue = chance(0.5) ? "straight" : "root"
            add("w\(index)", "score.weight", ["pool": .string(pool)], parameters: ["curve": curve])
            scorers.append("w\(index)")
        }
        add("few", "shortlist.few", ["pool": .string(pool), "scores": JSONValue(scorers)], mayFail: false)
        add("sum", "combine.sum", ["pool": "few", "scores": JSONValue(scorers)], mayFail: false)
        add("top", "select.top", ["ranking": "sum"], mayFail: chance(0.1))
        add("check", "check.pebbles", ["selection": "top"], mayFail: chance(0.1))
        if chance(0.5) { add("count", "sink.count", ["checked": "check"], mayFail: chance(0.1)) }
    }

    /// A chain of filters, each of which may be stood in for by what it filters.
    private mutating func filtered(_ pool: String) -> String {
        var last = pool
        for index in 0..<Int.random(in: 0...2, using: &generator) {
            let id = "\(pool)-f\(index)"
            let substitute: JSONValue = chance(0.6) ? .string(last) : .null
            add(
                id,
                "filter.heavy",
                ["pool": .string(last), "limit": "limit"],
                extra: [("substitute", substitute)],
                parameters: ["slack": .number(Double(Int.random(in: 0...4, using: &generator)) / 2)]
            )
            last = id
        }
        return last
    }

    private mutating func add(
        _ id: String,
        _ kind: String,
        _ inputs: JSONValue,
        mayFail: Bool = true,
        extra: [(String, JSONValue)] = [],
        parameters: JSONValue = [:]
    ) {
        var members: [(String, JSONValue)] = [
            ("id", .string(id)), ("kind", .string(kind)), ("inputs", inputs), ("parameters", parameters),
        ]
        members += extra
        if chance(0.3) { members.append(("retry", ["attempts": 2, "base": "2ms"])) }
        if isTimed, chance(0.3) { members.append(("wait", "20ms")) }
        if isTimed, chance(0.2) { members.append(("life", "25ms")) }
        if mayFail, chance(0.35) { quarry.moods[NodeID(id)] = mood() }
        nodes.append(.object(JSONObject(members.filter { !$0.1.isNull }.map { .init(name: $0.0, value: $0.1) })))
    }

    private mutating func mood() -> Quarry.Mood {
        let classes: [FailureClass] = [.provider, .platform, .data, .request, .provider, .stage]
        switch Int.random(in: 0..<(isTimed ? 8 : 5), using: &generator) {
        case 0, 1: return .fails(classes[Int.random(in: 0..<classes.count, using: &generator)], times: 9)
        case 2: return .fails(.provider, times: 1)
        case 3: return .lies
        case 4, 5: return .delays(.milliseconds(Int.random(in: 1...6, using: &generator)))
        case 6: return .stalls
        default: return chance(0.3) ? .spins : .delays(.milliseconds(Int.random(in: 15...40, using: &generator)))
        }
    }

    private mutating func chance(_ share: Double) -> Bool { generator.unit() < share }
}
