import Glibc
import HTTPClient
import LoopbackServer
import VectorSearch

/// Measures what a call costs this process: `serve` answers, `calls URL COUNT AT-ONCE` asks, from another process.
///
/// `serve SERVICES MILLISECONDS` is that many services which take their time, and `runs URLS COUNT` asks all of them at once,
/// one run after another, as live runs do.
@main
enum HTTPBench {
    static func main() async throws {
        let arguments = Array(CommandLine.arguments.dropFirst())
        // The heap that a live run of the command has.
        if arguments.first != "serve" { ProcessHeap.keepForOneAnswer() }
        switch arguments.first {
        case "serve" where arguments.count == 1: try serve(1, after: .zero)
        case "serve" where arguments.count == 3:
            guard let services = Int(arguments[1]), let pause = Int(arguments[2]) else { usage() }
            try serve(services, after: .milliseconds(pause))
        case "runs" where arguments.count == 3:
            guard let count = Int(arguments[2]) else { usage() }
            try await run(arguments[1].split(separator: ",").map(String.init), count: count)
        case "calls" where arguments.count == 4:
            guard let count = Int(arguments[2]), let atOnce = Int(arguments[3]) else { usage() }
            try await call(arguments[1], count: count, atOnce: atOnce)
        default: usage()
        }
    }

    private static func usage() -> Never {
        print("knot-http-bench serve [SERVICES MILLISECONDS] | calls URL COUNT AT-ONCE | runs URL,URL,... COUNT")
        exit(64)
    }

    /// A reply of sixteen kilobytes of JSON, about what a search of a service brings; prints the URLs and runs on.
    private static func serve(_ services: Int, after pause: Duration) throws {
        let item = "{\"id\": \"0123456789\", \"name\": \"A teapot of blue stoneware\", \"price\": \"24.50\"}"
        let body = "{\"items\": [" + Array(repeating: item, count: 200).joined(separator: ", ") + "]}"
        let servers = try (0..<services).map { _ in
            try LoopbackServer(keeping: 0) { _ in pause > .zero ? .json(body).after(pause) : .json(body) }
        }
        print(servers.map { $0.url + "/" }.joined(separator: ","))
        // The runner reads the line through a pipe.
        fflush(nil)
        while true { Glibc.pause() }
    }

    private static func run(_ urls: [String], count: Int) async throws {
        let client = try HTTPClient()
        let before = processorTime
        let start = ContinuousClock.now
        var answered = 0
        for _ in 0..<count {
            answered += await withTaskGroup(of: Int.self) { group in
                for url in urls {
                    group.addTask {
                        let answer = try? await client.send(HTTPRequest(.get, url), by: .now + .seconds(10))
                        return answer?.status == 200 ? 1 : 0
                    }
                }
                return await group.reduce(0, +)
            }
        }
        let taken = start.duration(to: .now)
        let processor = processorTime - before
        let calls = Double(count * urls.count)
        print(
            "{\"client\": \"knot\", \"runs\": \(count), \"services\": \(urls.count), \"answered\": \(answered), "
                + "\"cpu_us_per_call\": \(rounded(processor / .microseconds(1) / calls)), "
                + "\"ms_per_run\": \(rounded(taken / .milliseconds(1) / Double(count)))}"
        )
    }

    private static func call(_ url: String, count: Int, atOnce: Int) async throws {
        let client = try HTTPClient()
        let before = processorTime
        let start = ContinuousClock.now
        let answered = await withTaskGroup(of: Int.self) { group in
            for worker in 0..<atOnce {
                group.addTask {
                    var answered = 0
                    for _ in stride(from: worker, to: count, by: atOnce) {
                        let answer = try? await client.send(HTTPRequest(.get, url), by: .now + .seconds(10))
                        answered += answer?.status == 200 ? 1 : 0
                    }
                    return answered
                }
            }
            return await group.reduce(0, +)
        }
        let taken = start.duration(to: .now)
        let processor = processorTime - before
        print(
            "{\"client\": \"knot\", \"calls\": \(count), \"at_once\": \(atOnce), \"answered\": \(answered), "
                + "\"connections\": \(client.counts.connections), "
                + "\"cpu_us_per_call\": \(rounded(processor / .microseconds(1) / Double(count))), "
                + "\"calls_per_s\": \(rounded(Double(count) / (taken / .seconds(1))))}"
        )
    }

    private static func rounded(_ value: Double) -> Double { (value * 10).rounded() / 10 }

    /// Of this process, in its own code and in the system's for it.
    private static var processorTime: Duration {
        var usage = rusage()
        // The structure outlives the call, which fills it.
        unsafe getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
        return .seconds(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec)
            + .microseconds(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec)
    }
}
