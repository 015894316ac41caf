import Evaluation
import Glibc
import ProviderSimulator

// Serves one fixture's candidates as the five services until standard input ends, and prints the variables that make
// the command ask it.
guard CommandLine.arguments.count == 2 else {
    print("usage: knot-provider-simulator FIXTURE")
    exit(64)
}
do {
    let found = try FixtureLoader().load(CommandLine.arguments[1])
    let simulator = try ProviderSimulator(found.fixture)
    for (name, value) in simulator.environment.sorted(by: { $0.key < $1.key }) { print("export \(name)='\(value)'") }
    // An empty line ends them.
    print()
    // A pipe is not written before it is full otherwise.
    fflush(nil)
    while readLine() != nil {}
    simulator.stop()
} catch {
    print("the simulator cannot start: \(error)")
    exit(70)
}
