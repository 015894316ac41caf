import Evaluation

/// Documents and the queries that are put to them.
package struct RetrievalSet: Sendable {
    package let name: String
    package let documents: [RetrievalDocument]
    package let topics: [RetrievalTopic]
    /// Queries without anything to find, which are left out.
    package let leftOut: Int

    package init(name: String, documents: [RetrievalDocument], topics: [RetrievalTopic]) {
        self.name = name
        self.documents = documents
        self.topics = topics.filter { topic in topic.grades.grades.values.contains { $0 > 0 } }
        leftOut = topics.count - self.topics.count
    }
}
