import Testing

@Suite(.enabled(if: Repository.binary != nil, "the command is not built")) struct BuiltCommandTests {
    @Test func `a reader that leaves early is success`() throws {
        let outcome = try BuiltCommand.run(
            "for i in 1 2 3 4 5; do \"$KNOT\" help --markdown; echo $? >&2; done | true"
        )
        #expect(outcome.errors.split(separator: "\n").allSatisfy { $0 == "0" }, "\(outcome.errors)")
        let closed = try BuiltCommand.run("{ sleep 0.2; \"$KNOT\" version; echo $? >&2; } | true")
        #expect(closed.errors == "0\n")
    }

    @Test func `a full disk is an error of its own`() throws {
        let outcome = try BuiltCommand.run("\"$KNOT\" version > /dev/full")
        #expect(outcome.code == 74)
        #expect(outcome.errors.hasPrefix("error: writing failed: no space left on device, standard output, "))
    }

    @Test func `a closed output is an error and lands in no other file`() throws {
        #expect(try BuiltCommand.run("\"$KNOT\" version >&-").code == 74)
    }

    @Test(arguments: [("INT", Int32(130)), ("TERM", Int32(143))])
    func `a signal ends it at once with its own code`(signal: String, code: Int32) throws {
        // Opening a pipe that nobody writes to waits for ever, which is the longest a command can take.
        let script =
            "d=$(mktemp -d); mkfifo $d/c; KNOT_CONFIG=$d/c \"$KNOT\" config & p=$!; "
            + "for i in $(seq 200); do grep -q 'SigBlk:.*[1-9a-f]' /proc/$p/status && break; sleep 0.01; done; sleep 0.1; "
            + "kill -\(signal) $p; wait $p; c=$?; rm -r $d; exit $c"
        let clock = ContinuousClock()
        let start = clock.now
        #expect(try BuiltCommand.run(script).code == code)
        #expect(clock.now - start < .seconds(30))
    }

    @Test func `no terminal means no colour, no drawing and no progress`() throws {
        let outcome = try BuiltCommand.run("\"$KNOT\" doctor", environment: ["TERM": "xterm", "LANG": "C.UTF-8"])
        #expect(!outcome.output.contains("\u{1B}"))
        #expect(outcome.errors.isEmpty)
        let colour = try BuiltCommand.run("\"$KNOT\" doctor --color always")
        #expect(colour.output.contains("\u{1B}["))
    }

    @Test func `the exit code reaches the shell`() throws {
        #expect(try BuiltCommand.run("\"$KNOT\"").code == 64)
        #expect(try BuiltCommand.run("\"$KNOT\" run --vault x").code == 69)
        #expect(try BuiltCommand.run("KNOT_CONFIG=/nonexistent \"$KNOT\" config").code == 66)
    }
}
