/// How far an import of many files is.
package struct ImportProgress: Sendable, Hashable {
    package internal(set) var added = 0
    package internal(set) var unchanged = 0
    package internal(set) var replaced = 0
    package internal(set) var failed = 0

    package var done: Int { added + unchanged + replaced + failed }

    mutating func count(_ change: ImportOutcome.Change) {
        switch change {
        case .added: added += 1
        case .unchanged: unchanged += 1
        case .replaced: replaced += 1
        }
    }
}
