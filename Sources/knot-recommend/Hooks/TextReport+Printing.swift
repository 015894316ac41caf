extension TextReport {
    /// Prints the form that was asked for and gives the report's own exit code.
    func finish(_ context: CommandContext) throws(CommandError) -> ExitCode {
        if context.isJSON {
            try context.print(json)
        } else {
            try context.print(lines)
        }
        return exitCode
    }
}
