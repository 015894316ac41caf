import ChoiceService
import Composition
import Console
import JSONDocument
import StageGraph
import Testing
import VaultStore

@Suite struct `An error of the command` {
    @Test func `is one line of what, where and what to do`() {
        let error = CommandError(.notFound, "no such file", at: "a.json", todo: "check the path")
        #expect(error.text == "error: no such file, a.json, check the path\n")
    }

    @Test func `lists problems on lines of their own`() {
        let error = CommandError(
            .badInput,
            "2 problems",
            at: "a.json",
            todo: "repair it",
            problems: [CommandProblem(file: "a.json", path: "$.x", "is missing"), CommandProblem("odd")]
        )
        #expect(error.text == "error: 2 problems, a.json, repair it\n  a.json: $.x: is missing\n  odd\n")
    }

    @Test func `cannot be made to write on the terminal or on other lines`() {
        let error = CommandError(.notFound, "no such file", at: "a\n\u{1B}]0;x\u{7}error: fake", todo: "check")
        #expect(error.text.filter { $0 == "\n" }.count == 1)
        #expect(!error.text.contains("\u{1B}"))
    }

    @Test func `keeps a megabyte short`() {
        let error = CommandError(.usage, "unknown verb \(String(repeating: "x", count: 1 << 20))", at: "x", todo: "y")
        #expect(error.text.utf8.count < 1_000)
    }

    @Test func `is the contract's object as JSON`() {
        let error = CommandError(
            .badInput,
            "w",
            at: "p",
            todo: "t",
            problems: [CommandProblem(file: "f", path: "$.x", "m"), CommandProblem("n")]
        )
        #expect(
            error.json == [
                "schema": "knot.error/1", "code": "bad_input", "where": "p", "what": "w", "todo": "t",
                "problems": [
                    ["file": "f", "path": "$.x", "message": "m"], ["file": nil, "path": nil, "message": "n"],
                ],
            ]
        )
    }

    @Test func `a node that is out of its own time does not blame the run's`() {
        let late = StageFailure(.platform, code: StageFailure.deadline, "no result after 6s, the time it may live")
        let node = CommandError(late, at: "check", input: "a.json")
        #expect(node.code == .tryAgain && node.place == "node check")
        #expect(node.what == late.detail && !node.todo.contains("--deadline"))
        let over = StageFailure(.platform, code: StageFailure.deadline, "the run's 12s are over; still at work: check")
        let run = CommandError(over, at: nil, input: "a.json")
        #expect(run.code == .tryAgain && run.what == over.detail && run.todo.contains("--deadline"))
        let missing = StageFailure(.provider, code: "input_missing", "node aggregate needs 1 of pools and got 0")
        #expect(CommandError(missing, at: "aggregate", input: "a.json").code == .unavailable)
        // Nobody need wait for a service that refuses the key.
        let refused = StageFailure(.provider, code: "http_401", "openai replied with status 401", isLasting: true)
        #expect(CommandError(refused, at: nil, input: "embed").todo.contains("key"))
        let all = StageFailure(.provider, code: "input_missing", "node aggregate needs 1", isLasting: true)
        #expect(CommandError(all, at: "aggregate", input: "a.json").todo.contains("providers check"))
        #expect(CommandError(missing, at: "aggregate", input: "a.json").todo.contains("try again"))
        let machine = StageFailure(.platform, code: "executor_exhausted", "the system has no thread for a run")
        #expect(CommandError(machine, at: nil, input: "a.json").code == .tryAgain)
    }

    @Test func `of a room is told in one place; what no room throws is a fault of this program`() async {
        struct Strange: Error {}
        let strange = #expect(throws: CommandError.self) {
            try reporting(about: "a.json") { () throws -> Int in throw Strange() }
        }
        #expect(strange?.code == .internalFault && strange?.place == "a.json")
        let own = CommandError(.tryAgain, "not now", at: "b", todo: "wait")
        #expect(throws: own) { try reporting(about: "a.json") { () throws -> Int in throw own } }
        let room = VaultStoreError(.invalid, "the vault has a problem")
        let told = await #expect(throws: CommandError.self) {
            try await reporting(about: "a.json") { () async throws -> Int in throw room }
        }
        #expect(told?.code == .badInput && told?.place == "a.json" && told?.what == "the vault has a problem")
        let port = await #expect(throws: ChoiceError.self) {
            try await porting(about: "vault v") { () async throws -> Int in throw room }
        }
        if case .port(let error as CommandError)? = port {
            #expect(error.place == "vault v")
        } else {
            Issue.record("a port failed otherwise: \(String(describing: port))")
        }
    }

    @Test func `the codes are the contract's`() {
        #expect(ExitCode.allCases.map(\.rawValue) == [0, 10, 11, 64, 65, 66, 69, 70, 74, 75, 77, 78, 130, 143])
    }
}
