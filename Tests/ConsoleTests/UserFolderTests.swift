import FileInput
import Testing

@Suite("A person's own folder") struct UserFolderTests {
    private static let places: [(folder: UserFolder, variable: String, home: String)] = [
        (.cache, "XDG_CACHE_HOME", "/home/ada/.cache/loom"), (.config, "XDG_CONFIG_HOME", "/home/ada/.config/loom"),
        (.data, "XDG_DATA_HOME", "/home/ada/.local/share/loom"),
        (.state, "XDG_STATE_HOME", "/home/ada/.local/state/loom"),
    ]

    @Test(arguments: places)
    func `is the one that its variable names, else one below the home`(
        folder: UserFolder,
        variable: String,
        home: String
    ) {
        #expect(folder.path(of: "loom", [:]) == nil)
        #expect(folder.path(of: "loom", ["HOME": ""]) == nil && folder.path(of: "loom", ["HOME": "ada"]) == nil)
        #expect(folder.path(of: "loom", ["HOME": "/home/ada"]) == home)
        #expect(folder.path(of: "loom", [variable: "/x", "HOME": "/home/ada"]) == "/x/loom")
        // The specification tells programs to ignore a relative folder.
        #expect(folder.path(of: "loom", [variable: "x", "HOME": "/home/ada"]) == home)
    }

    @Test func `of a cache is followed by the machine's, and comes after the one that a variable names`() {
        func caches(_ environment: [String: String]) -> [String] {
            UserFolder.caches(of: "loom", named: "LOOM_CACHE", environment)
        }
        #expect(caches([:]) == ["/var/cache/loom"])
        #expect(caches(["HOME": "/home/ada"]) == ["/home/ada/.cache/loom", "/var/cache/loom"])
        #expect(
            caches(["HOME": "/home/ada", "LOOM_CACHE": "there"])
                == ["there", "/home/ada/.cache/loom", "/var/cache/loom"]
        )
        #expect(caches(["LOOM_CACHE": ""]) == ["/var/cache/loom"])
    }
}
