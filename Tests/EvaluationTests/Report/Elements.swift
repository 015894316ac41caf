/// The elements of a page, read strictly: every one closed by its own name, in order.
struct Elements {
    private var counts: [String: Int] = [:]
    /// What is not closed as it should be.
    private(set) var problems: [String] = []

    init(_ page: String) throws {
        var open: [String] = []
        for tag in page.matches(of: /<(\/?)([a-zA-Z][a-zA-Z0-9]*)((?:"[^"]*"|[^"<>])*)>/) {
            let name = String(tag.output.2)
            if !tag.output.1.isEmpty {
                if open.popLast() != name { problems.append("</\(name)> closes nothing") }
                continue
            }
            counts[name, default: 0] += 1
            if name != "meta", !tag.output.3.hasSuffix("/") { open.append(name) }
        }
        problems += open.map { "<\($0)> is never closed" }
        let brackets = page.count { $0 == "<" }
        let tags = page.matches(of: /<[\/!a-zA-Z]/).count
        if brackets != tags { problems.append("\(brackets - tags) brackets stand alone") }
    }

    func count(_ name: String) -> Int { counts[name] ?? 0 }
}
