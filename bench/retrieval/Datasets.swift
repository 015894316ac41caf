import Evaluation
import JSONDocument

/// The public data sets as the four tasks that are measured.
package struct Datasets {
    private let folder: String

    /// `shared` is the folder that holds `datasets`.
    package init(shared: String) { folder = shared + "/datasets" }

    private func file(_ name: String) -> DatasetFile { DatasetFile(path: "\(folder)/\(name)") }

    /// Product search: each query's judged products, and all judged ones among a thousand that nobody judged.
    package func products() throws(RetrievalError) -> [RetrievalSet] {
        let products = try byID(file("chorus-icecat/products.jsonl.gz").documents().map(Self.product))
        let queries = try file("chorus-icecat/queries-dev.tsv").rows(columns: 2)
        let grades = try Self.grades(file("chorus-icecat/qrels-dev.tsv").rows(columns: 3), relevantFrom: 2)
        let judged = Set(grades.values.flatMap(\.grades.keys)).sorted()
        let judgedProducts = judged.compactMap { products[$0] }
        let others = try Samples.ids("chorus_unjudged").compactMap { products[$0] }
        return [
            Self.rerank("chorus rerank", judgedProducts, queries: queries.map { ($0[0], $0[1]) }, grades: grades),
            RetrievalSet(
                name: "chorus retrieve",
                documents: judgedProducts + others,
                topics: queries.compactMap { query in
                    grades[query[0]].map { RetrievalTopic(id: query[0], query: query[1], grades: $0) }
                }
            ),
        ]
    }

    /// Movie search: each query's judged movies, for the drawn queries or for all.
    package func movies(allQueries: Bool = false) throws(RetrievalError) -> RetrievalSet {
        let movies = try byID(file("msrd/movies.jsonl.gz").documents().map(Self.movie))
        let rows = try file("msrd/queries-dev.tsv.gz").rows(columns: 2)
        let drawn = allQueries ? nil : Set(try Samples.ids("msrd"))
        let queries = rows.filter { drawn?.contains($0[0]) ?? true }.map { ($0[0], $0[1]) }
        // One judged movie has no document.
        let judgements = try file("msrd/qrels-dev.tsv.gz").rows(columns: 3).filter { movies[$0[1]] != nil }
        let grades = Self.grades(judgements, relevantFrom: 1)
        let listed = Set(queries.flatMap { grades[$0.0]?.grades.keys.map(\.self) ?? [] }).sorted()
        return Self.rerank(
            allQueries ? "msrd rerank, all" : "msrd rerank",
            listed.compactMap { movies[$0] },
            queries: queries,
            grades: grades
        )
    }

    /// Short sentences of one intent among 3,000 of 150 intents, for the drawn queries or for all in scope.
    package func utterances(allQueries: Bool = false) throws(RetrievalError) -> RetrievalSet {
        let corpus = try file("clinc150/corpus.tsv").rows(columns: 4)
        let rows = try file("clinc150/queries-dev.tsv").rows(columns: 4).filter { $0[1] != "oos" }
        let drawn = allQueries ? nil : Set(try Samples.ids("clinc"))
        let byIntent = Dictionary(grouping: corpus) { $0[1] }.mapValues { rows in
            JudgedGrades(Dictionary(rows.map { ($0[0], 1) }) { first, _ in first })
        }
        return RetrievalSet(
            name: allQueries ? "clinc retrieve, all" : "clinc retrieve",
            documents: corpus.map { RetrievalDocument(id: $0[0], text: $0[3]) },
            topics: rows.filter { drawn?.contains($0[0]) ?? true }.map { row in
                RetrievalTopic(id: row[0], query: row[3], grades: byIntent[row[1]] ?? JudgedGrades([:]))
            }
        )
    }

    private static func rerank(
        _ name: String,
        _ documents: [RetrievalDocument],
        queries: [(id: String, text: String)],
        grades: [String: JudgedGrades]
    ) -> RetrievalSet {
        let places = Dictionary(documents.enumerated().map { ($1.id, $0) }) { first, _ in first }
        let topics = queries.compactMap { query in
            grades[query.id].map { grades in
                RetrievalTopic(
                    id: query.id,
                    query: query.text,
                    candidates: grades.grades.keys.compactMap { places[$0] }.sorted(),
                    grades: grades
                )
            }
        }
        return RetrievalSet(name: name, documents: documents, topics: topics)
    }

    private static func grades(_ rows: [[String]], relevantFrom: Int) -> [String: JudgedGrades] {
        Dictionary(grouping: rows) { $0[0] }.mapValues { rows in
            JudgedGrades(
                Dictionary(rows.map { ($0[1], Int($0[2]) ?? 0) }) { first, _ in first },
                relevantFrom: relevantFrom
            )
        }
    }

    private func byID(_ documents: [RetrievalDocument]) -> [String: RetrievalDocument] {
        Dictionary(documents.map { ($0.id, $0) }) { first, _ in first }
    }

    private static func product(_ json: JSONValue) -> RetrievalDocument {
        let title = json["title"]?.string ?? ""
        let description = json["description"]?.string ?? ""
        return RetrievalDocument(
            id: json["id"]?.string ?? "",
            text: sentence([title, description]),
            title: title,
            body: [description]
        )
    }

    private static func movie(_ json: JSONValue) -> RetrievalDocument {
        func texts(_ name: String, most: Int = .max) -> [String] {
            (json[name]?.array ?? []).prefix(most).compactMap(\.string)
        }
        let title = json["title"]?.string ?? ""
        let year = json["year"]?.int.map(String.init) ?? ""
        let (genres, tags, actors) = (texts("genres"), texts("tags", most: 8), texts("actors", most: 5))
        let director = json["director"]?.string ?? ""
        let overview = json["overview"]?.string ?? ""
        let lists = [genres, [director], actors, tags].map { $0.filter { !$0.isEmpty }.joined(separator: ", ") }
        return RetrievalDocument(
            id: json["id"]?.string ?? "",
            text: sentence([title, year] + lists + [overview]),
            title: title,
            tags: genres + tags,
            body: [year, director] + actors + [overview]
        )
    }

    /// The parts as an encoder reads them best, and as a reader would: a stop between fields, and none for what is missing.
    private static func sentence(_ parts: [String]) -> String {
        parts.filter { !$0.isEmpty }.joined(separator: ". ")
    }
}
