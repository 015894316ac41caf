import Console
import JSONDocument
import KnotDomain
import Synchronization
import TestSupport
import Testing
import VaultStore

@testable import VaultForm

@Suite struct `The questions for a new vault` {
    /// Answers one after another; nil when they have run out.
    private func asked(
        _ answers: [String],
        environment: [String: String] = [:]
    ) -> (Result<JSONValue, CommandError>, said: String) {
        let rest = Mutex(answers[...])
        let said = CollectedBytes()
        do throws(CommandError) {
            var questions = VaultQuestions(
                Environment(environment),
                width: 80,
                on: said,
                now: { Instant(millisecondsSinceEpoch: 1_770_000_000_000) }
            ) { rest.withLock { $0.popFirst() } }
            let document = try questions.ask()
            return (.success(document), String(decoding: said.bytes, as: UTF8.self))
        } catch {
            return (.failure(error), String(decoding: said.bytes, as: UTF8.self))
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
        words.insert("vintag", at: 8)
        words.insert("90-40", at: 12)
        let (result, said) = asked(words)
        #expect(try NewVault(reading: result.get()).vault.vibes.count == 2)
        #expect(said.contains("Give 5 different ones."))
        #expect(said.contains("Not known: vintag (did you mean vintage?)."))
        #expect(said.contains("Two whole numbers"))
    }

    @Test func `answers that end early make nothing`() throws {
        guard case .failure(let error) = asked(Array(answers.prefix(4))).0 else {
            Issue.record("a vault out of nothing")
            return
        }
        #expect(error.code == .usage)
    }

    @Test func `each answer is checked at once as the vault will be`() throws {
        var words = answers
        // From the last to the first, so that the places stay what they are.
        words.insert(String(repeating: "x", count: 501), at: 14)
        words.insert("13-40", at: 13)
        words.insert("0-999999999", at: 10)
        words.insert("BTC", at: 9)
        words.insert("cooking, Golf, Wine, Camping, Gaming", at: 6)
        words.insert("Cooking, cooking, Music, Art, Tea", at: 5)
        words.insert(contentsOf: ["Mars/Base", "Europe/Pariss"], at: 4)
        words.insert("FRA", at: 3)
        words.insert(String(repeating: "n", count: 201), at: 0)
        let (result, said) = asked(words)
        let new = try NewVault(reading: result.get())
        #expect(VaultChecks.problems(in: try result.get()).isEmpty)
        #expect(new.vault.timeZone == "Europe/Paris" && new.vault.hints.map(\.text) == ["loves figs"])
        for words in [
            "longer than 200 bytes", "\"FRA\" is no country's code", "\"Mars/Base\" is no time zone",
            "did you mean Europe/Paris?", "Give 5 different ones.", "Among the likes already: cooking.",
            "\"BTC\" is no currency; did you mean", "Two whole numbers", "Month and day", "longer than 500 characters",
        ] {
            #expect(said.contains(words), "\(words): \(said)")
        }
    }

    @Test func `answers of a dialogue that ended are kept in a private draft and taken up again`() throws {
        let scratch = try ScratchFolder()
        let environment = ["XDG_STATE_HOME": scratch.path]
        let draft = scratch.file("knot-recommend/vault-draft.json")
        for count in 1..<answers.count - 1 {
            // Every place at which somebody may hang up, one after another: each time one more answer was given.
            let given = count == 1 ? [answers[0]] : [""] + [answers[count - 1]]
            guard case .failure(let error) = asked(given, environment: environment).0 else {
                // The end of the input ends the notes as an empty line does.
                #expect(count == 14)
                continue
            }
            #expect(error.todo.contains(draft), "\(error.todo)")
            #expect(FileStatus(path: draft)?.permissions == 0o600)
            #expect(VaultDraft(Environment(environment)).count == count)
        }
        let (result, said) = asked(["yes", "loves figs", ""], environment: environment)
        #expect(try NewVault(reading: result.get()).vault.hints.map(\.text) == ["loves figs"])
        #expect(said.contains("A draft of an earlier time holds 14 answers"))
        #expect(said.contains("Your partner's name: my partner"))
    }

    @Test func `a draft that nobody wants is removed`() throws {
        let scratch = try ScratchFolder()
        let environment = ["XDG_STATE_HOME": scratch.path]
        _ = asked(Array(answers.prefix(3)), environment: environment)
        let (result, _) = asked(["perhaps", "no"] + answers, environment: environment)
        #expect(try NewVault(reading: result.get()).vault.partnerName == "my partner")
        _ = asked(["no"], environment: environment)
        #expect(FileStatus(path: scratch.file("knot-recommend/vault-draft.json")) == nil)
    }
}
