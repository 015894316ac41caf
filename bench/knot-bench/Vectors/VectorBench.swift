import FoundationEssentials
import JSONDocument
import VectorSearch

/// `knot-bench vectors`: every workload of the vector core, with the machine's limits in the same rounds.
struct VectorBench {
    private let options: VectorOptions

    init(_ arguments: ArraySlice<String>) throws { options = try VectorOptions(arguments) }

    func run() throws {
        guard let probe = LimitProbe(bytes: options.isQuick ? 256 << 20 : 1 << 30) else {
            throw BenchUsage("there is no memory for measuring this machine's limits")
        }
        print("machine: \(Machine.cpu), \(Machine.cores) cores, \(Machine.compiler), commit \(Machine.commit)")
        print("scans by floats ask for rows\(Kernels.best.askingWords)")
        var limits = LimitTable()
        limits.measure(.before, probe)
        let clock = ContinuousClock()
        let start = clock.now
        let corpus = try VectorCorpus(count: options.mostRows, spectrum: options.spectrum)
        print("made \(corpus.count) rows in \(clock.now - start); times in ms")
        let search = SearchWorkloads(corpus: corpus, options: options)
        let tables = TableWorkloads(corpus: corpus, options: options)
        var rows: [JSONValue] = []
        try race(search.scans + search.batches, probe, &rows)
        limits.measure(.middle, probe)
        try race([tables.smallVaults, tables.dense], probe, &rows)
        try race(search.queryCounts + search.demands + search.filters, probe, &rows)
        if options.wants("file") {
            try race([try FileWorkload(corpus: corpus, options: options).race()].compactMap(\.self), probe, &rows)
        }
        limits.measure(.after, probe)
        limits.show()
        try keep(limits.lines + rows)
    }

    private func race(_ races: [Race], _ probe: borrowing LimitProbe, _ rows: inout [JSONValue]) throws {
        for race in races where options.wants(race.workload) && !race.contenders.isEmpty {
            print("\n\(race.workload): \(race.queries) × \(race.rows)\n\(Measurement.header)")
            for measured in try race.run(pace: options.pace, probe: probe) {
                print(measured.line)
                rows.append(measured.json)
            }
        }
    }

    private func keep(_ rows: [JSONValue]) throws {
        guard let file = options.file else { return }
        let machine: [JSONObject.Member] = [
            JSONObject.Member(name: "spectrum", value: .string(options.spectrum.rawValue)),
            JSONObject.Member(name: "cpu", value: .string(Machine.cpu)),
            JSONObject.Member(name: "cores", value: .integer(Machine.cores)),
            JSONObject.Member(name: "compiler", value: .string("Swift \(Machine.compiler)")),
            JSONObject.Member(name: "commit", value: .string(Machine.commit)),
        ]
        var text = ""
        for row in rows {
            let members = (row.object?.members ?? []) + machine
            text += JSONWriter.text(.object(JSONObject(members))) + "\n"
        }
        try Data(text.utf8).write(to: URL(filePath: file), options: .atomic)
        print("kept \(rows.count) rows")
    }
}
