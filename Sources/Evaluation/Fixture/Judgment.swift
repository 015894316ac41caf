package import JSONDocument
import KnotDomain

/// What a careful judge says of one candidate for one request.
package struct Judgment: Hashable, Sendable {
    /// 0 poor, 1 acceptable but generic, 2 good, 3 would delight.
    package let grade: Int
    /// Must never be shown; its grade is always 0.
    package let isForbidden: Bool
    package let why: String?

    package init(grade: Int, isForbidden: Bool, why: String?) {
        self.grade = grade
        self.isForbidden = isForbidden
        self.why = why
    }

    /// Reads one judgment and notes every problem; nil when there was one.
    package init?(reading reader: JSONReader) {
        let before = reader.problems.list.count
        let grade = reader.required("grade")?.int(in: 0...3)
        let isForbidden = reader.optional("forbidden").map { $0.bool() } ?? false
        let why = reader.optional("why")?.optionalText(limit: TextLimit.reason)
        if let grade, grade > 0, isForbidden == true { reader.note("must be 0 where forbidden is true", at: "grade") }
        guard reader.problems.list.count == before, let grade, let isForbidden else { return nil }
        self.init(grade: grade, isForbidden: isForbidden, why: why)
    }
}
