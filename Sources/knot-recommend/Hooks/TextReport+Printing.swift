import Evaluation

extension TextReport {
    /// Prints the form that was asked for and gives the report's own exit code.
    func finish(_ context: CommandContext, as format: TableFormat = .text) throws(CommandError) -> ExitCode {
        if format == .csv, let table {
            ProgressLine.shared.erase()
            try context.output.write(table.text)
        } else if context.isJSON {
            try context.print(json)
        } else {
            try context.print(lines)
        }
        return exitCode
    }
}
