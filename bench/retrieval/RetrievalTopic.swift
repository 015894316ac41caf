package import Evaluation

/// A query, what is to be ranked for it, and what the judges said.
package struct RetrievalTopic: Sendable {
    package let id: String
    package let query: String
    /// Places of documents to rank, or nil for all of them.
    package let candidates: [Int]?
    package let grades: JudgedGrades

    package init(id: String, query: String, candidates: [Int]? = nil, grades: JudgedGrades) {
        self.id = id
        self.query = query
        self.candidates = candidates
        self.grades = grades
    }
}
