import JSONDocument
import KnotDomain
import Synchronization
import Testing
import VaultStore

@testable import knot_recommend

@Suite struct `The questions for a new vault` {
    /// Answers one after another; nil when they have run out.
    private func asked(_ answers: [String]) throws -> (Result<JSONValue, CommandError>, said: String) {
        let rest = Mutex(answers[...])
        let diagnostics = MemorySink()
        let arguments = try #require(try ArgumentParser.parse(["vault", "new"]))
        let context = CommandContext(
            environment: Environment([:]),
            settings: try Settings(arguments, environment: Environment([:]), file: nil),
            terminal: .plain,
            output: MemorySink(),
            diagnostics: diagnostics,
            engine: .none,
            isJSON: false,
            isQuiet: false
        )
        do throws(CommandError) {
            let document = try VaultQuestions(context) { rest.withLock { $0.popFirst() } }.ask()
            return (.success(document), diagnostics.text)
        } catch {
            return (.failure(error), diagnostics.text)
        }
    }

    private let answers = [
        "my partner", "Lyon", "", "FR", "Europe/Paris", "Cooking, Reading, Music, Art, Tea",
        "Cars, Golf, Wine, Camping, Gaming",
        "vintage, romantic", "quality_time, receiving_gifts", "EUR", "", "40-90", "100-200", "05-16", "loves figs", "",
    ]

    @Test func `answers make a vault that can be stored`() throws {
        let document = try asked(answers).0.get()
        let new = try NewVault(reading: document)
        #expect(new.vault.location?.city == "Lyon")
        #expect(new.vault.budgets[.justBecause]?.minimum == 1_500)
        #expect(new.vault.milestones.map(\.name) == ["my partner's birthday"])
        #expect(new.vault.hints.map(\.text) == ["loves figs"])
    }

    @Test func `what does not fit is asked again`() throws {
        var words = answers
        words.insert("Cooking, Reading", at: 5)
        words.insert("retro", at: 8)
        words.insert("90-40", at: 12)
        let (result, said) = try asked(words)
        #expect(try NewVault(reading: result.get()).vault.vibes.count == 2)
        #expect(said.contains("Give 5 different ones."))
        #expect(said.contains("Not known: retro."))
        #expect(said.contains("Two whole numbers"))
    }

    @Test func `answers that end early make nothing`() throws {
        guard case .failure(let error) = try asked(Array(answers.prefix(4))).0 else {
            Issue.record("a vault out of nothing")
            return
        }
        #expect(error.code == .usage)
    }
}
