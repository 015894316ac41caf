import Fixtures
import Glibc
import LoopbackServer
import ProviderSimulator

// Serves one fixture's candidates as the five services until standard input ends, and prints the variables that make
// the command ask it. With --pages it serves the offers' pages too, each answer but a token's comes after --delay
// milliseconds, and the page of each candidate that --gone names is gone. The service that --misbehave names goes wrong in the
// way that the next word names, or finds nothing; without such a word the ways are listed.
func refuse() -> Never {
    print(
        "usage: knot-provider-simulator FIXTURE [--pages] [--delay MILLISECONDS] [--gone CANDIDATE]...",
        "[--misbehave SERVICE WAY]"
    )
    exit(64)
}
var words = Array(CommandLine.arguments.dropFirst())[...]
guard let path = words.popFirst(), !path.hasPrefix("--") else { refuse() }
let nothing = "finds nothing"
var servesPages = false
var delay = 0
var gone: Set<String> = []
var wrong: (path: String, reply: LoopbackReply)?
while let word = words.popFirst() {
    switch word {
    case "--pages": servesPages = true
    case "--delay":
        guard let value = words.popFirst().flatMap({ Int($0) }), value >= 0 else { refuse() }
        delay = value
    case "--gone":
        guard let value = words.popFirst() else { refuse() }
        gone.insert("/page/" + value)
    case "--misbehave":
        guard let service = words.popFirst() else { refuse() }
        guard let way = words.popFirst() else {
            for way in [nothing] + Misbehaviour.all.map(\.description) { print(way) }
            exit(0)
        }
        let found = Misbehaviour.all.first { $0.description == way }
        guard found != nil || way == nothing else { refuse() }
        wrong = ("/" + service, found?.reply ?? ProviderSimulator.nothing(by: service))
    default: refuse()
    }
}
do {
    let found = try FixtureLoader().load(path)
    let (pause, lost, wrong) = (Duration.milliseconds(delay), gone, wrong)
    let simulator = try ProviderSimulator(found.fixture, servesPages: servesPages) { request, usual in
        if let wrong, request.path.hasPrefix(wrong.path) { return wrong.reply }
        let reply = lost.contains(request.path) ? LoopbackReply.html("<h1>Not found</h1>", status: 404) : usual
        // Nobody asks for a token more than once an hour.
        return pause == .zero || request.path.hasSuffix("/token") ? reply : reply.after(pause)
    }
    for (name, value) in simulator.environment.sorted(by: { $0.key < $1.key }) { print("export \(name)='\(value)'") }
    // An empty line ends them.
    print()
    // A pipe is not written before it is full otherwise.
    fflush(nil)
    while readLine() != nil {}
    simulator.stop()
    // Whoever started it with no input at all would look for it in vain.
    let farewell = Array("standard input has ended, and the simulator with it\n".utf8)
    _ = unsafe write(2, farewell, farewell.count)
} catch {
    print("the simulator cannot start: \(error)")
    exit(70)
}
