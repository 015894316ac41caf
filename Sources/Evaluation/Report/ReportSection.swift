/// One part of the page, which the list at its top leads to.
struct ReportSection: Sendable {
    let id: String
    let title: String
    let body: Markup

    var markup: Markup {
        """
        <section id="\(id)" aria-labelledby="\(id)-title">
        <h2 id="\(id)-title">\(title)</h2>
        \(body)
        </section>
        """
    }
}
