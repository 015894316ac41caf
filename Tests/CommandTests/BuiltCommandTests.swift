import Composition
import Foundation
import TestSupport
import Testing
import VectorSearch

@Suite(.onOwnThreads, .enabled(if: Repository.binary != nil, "the command is not built")) struct `The built command` {
    @Test func `a reader that leaves early is success`() throws {
        // The reader of the pipe is closed before the command starts, so that its first write already fails.
        let outcome = try BuiltCommand.run(
            "d=$(mktemp -d); mkfifo $d/p; exec 3<>$d/p; exec 4>$d/p; exec 3>&-; "
                + "\"$KNOT\" help --markdown >&4; c=$?; rm -r $d; exit $c"
        )
        #expect(outcome == .init(code: 0, output: "", errors: ""))
    }

    @Test func `a full disk is an error of its own`() throws {
        let outcome = try BuiltCommand.run("\"$KNOT\" version > /dev/full")
        #expect(outcome.code == 74)
        #expect(outcome.errors.hasPrefix("error: writing failed: no space left on device, standard output, "))
    }

    @Test func `a closed output is an error and lands in no other file`() throws {
        #expect(try BuiltCommand.run("\"$KNOT\" version >&-").code == 74)
    }

    @Test(.timeLimit(.minutes(20)), arguments: [("INT", Int32(130)), ("TERM", Int32(143)), ("HUP", Int32(129))])
    func `a signal ends it at once with its own code`(signal: String, code: Int32) throws {
        // Opening a pipe that nobody writes to waits for ever, which is the longest a command can take.
        let script =
            "d=$(mktemp -d); mkfifo $d/c; KNOT_CONFIG=$d/c env --default-signal=HUP \"$KNOT\" config & p=$!; "
            + "for i in $(seq 60000); do grep -q 'SigCgt:.*4..[2367abef]$' /proc/$p/status && break; sleep 0.01; done; "
            + "kill -\(signal) $p; wait $p; c=$?; rm -r $d; exit $c"
        #expect(try BuiltCommand.run(script).code == code)
    }

    @Test(.timeLimit(.minutes(20))) func `a crash leaves no core file, since it would hold keys and notes`() throws {
        let outcome = try BuiltCommand.run(
            "ulimit -c unlimited 2>/dev/null; d=$(mktemp -d); mkfifo $d/c; KNOT_CONFIG=$d/c \"$KNOT\" config & p=$!; "
                + "for i in $(seq 60000); do grep -q 'SigCgt:.*4..[2367abef]$' /proc/$p/status && break; sleep 0.01; done; "
                + "grep '^Max core file size' /proc/$p/limits; kill -KILL $p; rm -r $d"
        )
        let words = outcome.output.split(separator: " ")
        #expect(words.contains { $0 == "1" || $0 == "0" }, "\(outcome)")
        #expect(!words.contains("unlimited"), "\(outcome)")
    }

    /// Whoever compares machines, or doubts the kernels, gets the same set and the same scores from each kind.
    @Test(.timeLimit(.minutes(20)), arguments: Kernels.available.map(\.name))
    func `kernels of every kind choose the same, to the last bit`(kind: String) throws {
        let pipeline = Repository.root.appending(path: "fixtures/pipelines/patient.json").path
        let fixture = Repository.root.appending(path: "fixtures/vaults/dev-01.json").path
        func choose(by kernels: String) throws -> BuiltCommand.Outcome {
            try BuiltCommand.run(
                "\"$KNOT\" run --fixture '\(fixture)' --pipeline '\(pipeline)' --kernels \(kernels) --json"
            )
        }
        let outcome = try choose(by: kind)
        #expect(outcome.code == 0 && outcome.output.contains("\"outcome\": \"complete\""), "\(outcome)")
        #expect(try outcome == choose(by: "auto"))
    }

    @Test(.timeLimit(.minutes(20)), arguments: [0, 10, 20, 40, 60, 80, 100, 150])
    func `a signal in the middle of a run is taken by the command, which leaves nothing`(delay: UInt32) throws {
        let folder = try ScratchFolder()
        let process = Process()
        process.executableURL = Repository.binary
        let fixture = Repository.root.appending(path: "fixtures/vaults/dev-03.json").path
        process.arguments = ["run", "--fixture", fixture, "--model", "none", "--record", folder.file("c")]
        process.environment = ["HOME": folder.path + "/home"]
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        // Before its first step, the signal still ends a process as it ends any other.
        while !Self.watchesSignals(process.processIdentifier) { usleep(1_000) }
        usleep(delay * 1_000)
        process.terminate()
        process.waitUntilExit()
        #expect(process.terminationReason == .exit, "the signal ended it, and nothing was tidied")
        #expect(try folder.names.filter { $0.hasSuffix(".tmp") }.isEmpty)
    }

    /// Whether the process has a handler for SIGTERM, or has ended.
    private static func watchesSignals(_ process: Int32) -> Bool {
        guard let status = try? String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8) else { return true }
        if status.contains("State:\tZ") { return true }
        let caught = status.split(separator: "\n").first { $0.hasPrefix("SigCgt:") }?.split(separator: "\t").last
        return UInt64(caught ?? "", radix: 16).map { $0 & 1 << UInt64(SIGTERM - 1) != 0 } ?? true
    }

    @Test(.timeLimit(.minutes(20))) func `a hang-up that whoever started it ignores stays ignored`() throws {
        let script =
            "trap '' HUP; d=$(mktemp -d); mkfifo $d/c; KNOT_CONFIG=$d/c \"$KNOT\" config & p=$!; "
            + "for i in $(seq 60000); do grep -q 'SigCgt:.*4..[2367abef]$' /proc/$p/status && break; sleep 0.01; done; "
            + "kill -HUP $p; kill -TERM $p; wait $p; c=$?; rm -r $d; exit $c"
        #expect(try BuiltCommand.run(script).code == 143)
    }

    @Test func `no terminal means no colour, no drawing and no progress`() throws {
        let outcome = try BuiltCommand.run("\"$KNOT\" doctor", environment: ["TERM": "xterm", "LANG": "C.UTF-8"])
        #expect(!outcome.output.contains("\u{1B}"))
        #expect(outcome.errors.isEmpty)
        let colour = try BuiltCommand.run("\"$KNOT\" doctor --color always")
        #expect(colour.output.contains("\u{1B}["))
    }

    @Test(arguments: [
        ("KNOT_MODEL=/nonexistent", "model"), ("KNOT_RATES=/nonexistent", "rates"), ("KNOT_RATES=/dev/null", "rates"),
        ("KNOT_PIPELINE=/nonexistent.json", "pipeline"), ("KNOT_EXPERIMENT=/nonexistent.json", "pipeline"),
        ("DATABASE_URL=postgresql://knot@/knot?host=/nonexistent", "database"),
    ])
    func `doctor fails where a run would`(setting: String, check: String) throws {
        let folder = try ScratchFolder()
        let environment = ["KNOT_CACHE": folder.path, "KNOT_DEV_DB": folder.path + "/none"]
        #expect(try BuiltCommand.run("\"$KNOT\" doctor", environment: environment).code == 0)
        let outcome = try BuiltCommand.run("\(setting) \"$KNOT\" doctor", environment: environment)
        #expect(outcome.code == 69)
        let failures = outcome.output.split(separator: "\n").filter { $0.hasPrefix("fail") }
        #expect(failures.count == 1 && failures[0].contains(check), "\(outcome.output)")
    }

    @Test func `doctor lays an experiment over the chosen pipeline alone`() throws {
        let outcome = try BuiltCommand.run(
            "\"$KNOT\" doctor --set select.strength=0.1 --model none",
            environment: ["KNOT_DEV_DB": "/nonexistent/none"]
        )
        #expect(outcome.code == 0, "\(outcome.output)")
        #expect(try BuiltCommand.run("\"$KNOT\" doctor --set select.strength=7 --model none").code == 69)
    }

    @Test func `the exit code reaches the shell`() throws {
        #expect(try BuiltCommand.run("\"$KNOT\"").code == 64)
        let nowhere = ["DATABASE_URL": "postgresql://knot@/knot?host=/nonexistent"]
        #expect(try BuiltCommand.run("\"$KNOT\" run --all", environment: nowhere).code == 69)
        #expect(try BuiltCommand.run("KNOT_CONFIG=/nonexistent \"$KNOT\" config").code == 66)
    }
}
