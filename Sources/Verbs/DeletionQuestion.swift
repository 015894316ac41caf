package import Arguments
package import Composition
package import Console
import Glibc

/// Asks before something is deleted that cannot be brought back.
package struct DeletionQuestion {
    /// Whether somebody sits there who sees the question and can answer it.
    package let canAsk: Bool
    private let readLine: () -> String?

    package init(
        canAsk: Bool = StandardInput.isTerminal && isatty(2) == 1,
        readLine: @escaping () -> String? = StandardInput.line
    ) {
        self.canAsk = canAsk
        self.readLine = readLine
    }

    /// Throws where nobody can be asked, before anything is looked at.
    package func require(_ verb: VerbName, _ what: String, todo: String = "") throws(CommandError) {
        guard !canAsk else { return }
        throw .usage(verb, "\(what), and nobody can be asked", todo: "add --yes to do it" + todo)
    }

    /// Says what will go and waits for a yes; anything else leaves all as it is.
    package func ask(_ lines: [String], _ question: String, _ context: CommandContext) throws(CommandError) {
        ProgressLine.shared.erase()
        try context.diagnostics.write(lines.map { $0 + "\n" }.joined() + "\(question) Type yes: ")
        let answer = readLine().map { TerminalText.safe($0, limit: 20).lowercased() }
        guard answer == "yes" || answer == "y" else {
            throw CommandError(
                .notPermitted,
                "nothing was deleted",
                at: "your answer",
                todo: "answer yes, or give --yes, to delete it"
            )
        }
    }
}
