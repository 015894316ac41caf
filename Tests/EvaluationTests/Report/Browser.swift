import Foundation

/// Headless Chromium over pages in a folder of its own: what it measures, and everything it complains about.
enum Browser {
    /// How a page is looked at.
    enum Scheme: String, CaseIterable, Sendable {
        case dark
        case light

        /// Chromium's own number for it.
        var setting: String { self == .dark ? "0" : "1" }
    }

    static let widths = [360, 390, 900, 1_280]

    static let path = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"].first {
        FileManager.default.isExecutableFile(atPath: $0)
    }

    static let absence = "there is no Chromium here; set-up installs it"

    /// What was printed of the measuring page, and the lines of the browser's console.
    struct Outcome {
        let result: [String: Any]
        let console: [String]
    }

    /// Loads a page in frames of every width and gives what the measuring script beside this file found.
    static func measure(_ page: String, _ scheme: Scheme) throws -> Outcome {
        let folder = FileManager.default.temporaryDirectory.appending(path: "knot-report-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { _ = try? FileManager.default.removeItem(at: folder) }  // left for the system to clean
        try page.write(to: folder.appending(path: "report.html"), atomically: false, encoding: .utf8)
        let harness = folder.appending(path: "measure.html")
        try Measuring.page(widths: widths).write(to: harness, atomically: false, encoding: .utf8)
        let (output, errors) = try run(
            [
                "--blink-settings=preferredColorScheme=\(scheme.setting)", "--allow-file-access-from-files",
                "--virtual-time-budget=5000", "--enable-logging=stderr", "--dump-dom", harness.absoluteString,
            ],
            folder
        )
        let console = errors.split(separator: "\n").map(String.init).filter { $0.contains("CONSOLE") }
        let text = output.firstMatch(of: #/<pre id="result">([^<]*)</pre>/#).map { String($0.output.1) } ?? ""
        let plain = text.replacing("&amp;", with: "&").replacing("&lt;", with: "<").replacing("&gt;", with: ">")
        let json = try JSONSerialization.jsonObject(with: Data(plain.utf8)) as? [String: Any]
        return Outcome(result: json ?? [:], console: console)
    }

    private static func run(_ arguments: [String], _ folder: URL) throws -> (output: String, errors: String) {
        let process = Process()
        process.executableURL = URL(filePath: path ?? "")
        // Root has no sandbox of its own, and the page is ours.
        process.arguments =
            [
                "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
                "--hide-scrollbars",
                "--user-data-dir=\(folder.path)/profile",
            ] + arguments
        let (output, errors) = (folder.appending(path: "out"), folder.appending(path: "err"))
        // Into files: neither stream can then hold the other up.
        for file in [output, errors] { try Data().write(to: file) }
        process.standardOutput = try FileHandle(forWritingTo: output)
        process.standardError = try FileHandle(forWritingTo: errors)
        process.standardInput = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        return (
            String(decoding: try Data(contentsOf: output), as: UTF8.self),
            String(decoding: try Data(contentsOf: errors), as: UTF8.self)
        )
    }
}
