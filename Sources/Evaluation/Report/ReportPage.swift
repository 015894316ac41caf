import Digest
import FoundationEssentials
import StageGraph

/// One self-contained page about an evaluation: no script, nothing from elsewhere, one style sheet known by its hash.
package struct ReportPage: Sendable {
    private let summary: EvaluationSummary

    package init(_ summary: EvaluationSummary) {
        self.summary = summary
    }

    /// The same bytes for the same evaluation.
    package var html: String {
        let verdict = Verdict(summary)
        let style = Markup.styleSheet(ReportStyle.sheet)
        let page: Markup = """
            <!doctype html>
            <html lang="en">
            <head>
            <meta charset="utf-8">\(vaults)
            <meta http-equiv="Content-Security-Policy" content="\(Self.policy(of: style))">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <meta name="color-scheme" content="light dark">
            <meta name="referrer" content="no-referrer">
            <title>\(verdict.headline)</title>
            <style>\(style)</style>
            </head>
            <body>
            <a class="skip" href="#main">To the results</a>
            <header>
            <p class="eyebrow">Choice of Three, measured on \(summary.vaultWords)</p>
            <h1>\(verdict.headline)</h1>
            \(verdict.details.map { "<p class=\"lead\">\(Self.kept($0))</p>" as Markup })
            \(navigation)
            </header>
            <main id="main">
            \(sections.map(\.markup))
            </main>
            \(footer)
            </body>
            </html>

            """
        return page.text
    }

    /// Whom the page is about, for who has to find it again.
    private var vaults: Markup {
        let marks = (summary.provenance?.recordedVaults ?? []).map {
            "<meta name=\"knot-vault\" content=\"\($0)\">" as Markup
        }
        return marks.isEmpty ? .empty : "\n\(marks)"
    }

    /// A number and its sign of percent stay in one line.
    private static func kept(_ text: String) -> String { text.replacing(" %", with: "\u{a0}%") }

    private var sections: [ReportSection] {
        [
            GateSection.section(summary), FigureSection.section(summary), IntervalPicture.section(summary),
            DistributionSection.section(summary), SegmentSection.section(summary), SweepSection.section(summary),
            VaultSection.section(summary),
            VaultTable.section(summary), DataSection.section(summary), MethodSection.section(summary),
        ].compactMap(\.self)
    }

    private var navigation: Markup {
        let links = sections.map { "<li><a href=\"#\($0.id)\">\($0.title)</a></li>" as Markup }
        return "<nav aria-label=\"On this page\"><ul>\(links)</ul></nav>"
    }

    private var footer: Markup {
        let plans = [summary.evaluation, summary.comparison?.old].compactMap(\.self).map { evaluation in
            "<li>\(evaluation.label): plan \(evaluation.plan.name) <code>\(evaluation.plan.identity)</code></li>"
                as Markup
        }
        let made: Markup =
            summary.provenance.map { made in
                """
                <li>knot-recommend \(made.version): <code>\(made.command)</code></li>
                <li>model: \(made.modelWords)</li>
                <li>data: SHA-256 <code>\(made.dataDigest)</code></li>
                """
            } ?? .empty
        return """
            <footer>
            <p>Readings: \(summary.readings). Seed \(String(summary.seed)): the same seed gives the same page, to the \
            byte.</p>
            <ul>\(made)\(plans)</ul>
            </footer>
            """
    }

    /// Nothing may be loaded or run; the one style sheet is let in by what it says.
    private static func policy(of style: Markup) -> Markup {
        let hash = Data(SHA256Digest(of: style.text).bytes).base64EncodedString()
        return "default-src 'none'; style-src 'sha256-\(hash)'; base-uri 'none'; form-action 'none'"
    }
}

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

/// How to read the page: what each figure says and how sure the numbers are.
enum MethodSection {
    static func section(_ summary: EvaluationSummary) -> ReportSection {
        let figures = Figure.allCases.map { "<dt>\($0.title)</dt><dd>\($0.meaning).</dd>" as Markup }
        return ReportSection(
            id: "method",
            title: "How to read this",
            body: """
                <details class="panel"><summary>What the figures say</summary>
                <dl>\(figures)
                <dt>coverage</dt><dd>distinct cards shown over all items that a judge did not rule out.</dd>
                <dt>Gini</dt><dd>0 where every item is shown equally often, towards 1 where few have it all.</dd>
                <dt>personalisation</dt><dd>1 minus the mean overlap of two vaults' cards.</dd>
                </dl></details>
                <details class="panel"><summary>How sure they are</summary>
                <p>Every vault counts once. Intervals are percentiles of \(Bootstrap.draws) bootstrap draws of the vaults. \
                Two pipelines are compared vault by vault: a paired sign-flip test, exact up to twenty vaults and by \
                \(SignFlipTest.draws) draws beyond, corrected by Holm over the \(summary.testedFigures.count) figures that are \
                tested. "No worse" is a one-sided t test against a margin that was set before looking. What is undefined is \
                left out of a mean and counted. A vault with fewer than three cards counts what is missing as grade 0.</p>
                </details>
                """
        )
    }
}
