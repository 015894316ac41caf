import Testing

@testable import LocalPostgres

@Suite("A server's own lock file")
struct PostmasterFileTests {
    private static let whole = "4242\n/srv/data\n1700000000\n5432\n/srv/socket\n\n  1234  5678\nready   \n"

    @Test func `names the process, the socket and whether it takes connections`() throws {
        let file = try #require(PostmasterFile(Self.whole))
        #expect(file == PostmasterFile(Self.whole))
        #expect(file.pid == 4242)
        #expect(file.socketFolder == "/srv/socket")
        #expect(file.isReady)
    }

    @Test func `is ready for readers while it stands by`() {
        #expect(PostmasterFile(Self.whole.replacing("ready   ", with: "standby "))?.isReady == true)
    }

    @Test(arguments: ["starting", "stopping"])
    func `is not ready in any other state`(state: String) {
        #expect(PostmasterFile(Self.whole.replacing("ready   ", with: state))?.isReady == false)
    }

    @Test(arguments: [
        "", "\n", "x\n/d\n1\n5432\n/s\n", "1\n/d\n1\n5432\n/s\n", "-5\n/d\n1\n5432\n/s\n", "42\n/d\n1\n5432",
    ])
    func `is nothing while it is not written to its end`(text: String) {
        #expect(PostmasterFile(text) == nil)
    }

    @Test func `leads to a URL that says everything`() {
        let server = RunningServer(pid: 2, majorVersion: 18, folder: "/f", socketFolder: "/tmp/a b&c/é")
        #expect(server.url == "postgresql://knot@/knot?host=/tmp/a%20b%26c/%C3%A9&port=5432")
        #expect(server.url(database: "x", user: "y@z") == "postgresql://y%40z@/x?host=/tmp/a%20b%26c/%C3%A9&port=5432")
    }
}
