/// One line of a node's notebook.
package enum NotebookEntry: Sendable {
    case item(ItemEvent)
    case stage(TraceEvent)
}
