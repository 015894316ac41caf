import Glibc

/// The process: prepares it, runs the command, ends with its code.
@main
struct KnotRecommend {
    static func main() async {
        SignalWatch.start()
        let tool = CommandTool(
            environment: Environment.current(),
            output: StandardStream.output,
            diagnostics: StandardStream.diagnostics,
            engine: .live
        )
        let (words, problem) = CommandWords.current()
        exit(await tool.run(words, refusing: problem).rawValue)
    }
}
