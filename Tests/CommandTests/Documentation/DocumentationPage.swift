import Foundation
import TestSupport
import Testing

/// The README or a page of the guides, with the examples that a reader would type.
struct DocumentationPage: Sendable, CustomTestStringConvertible {
    /// One step of the session that a page's examples are.
    enum Step: Sendable {
        /// Commands that must all succeed.
        case commands([String])
        /// A command with the output shown below it.
        case transcript(command: String, shown: String)
        /// A JSON text, which the page asks the reader to save under a name or only shows.
        case json(String, name: String?)
        case swift(String)
    }

    static let catalog = "Sources/KnotRecommendation/Documentation.docc"

    /// The README and every page of the guides.
    static let all: [DocumentationPage] = {
        let root = Repository.root.appendingPathComponent(catalog)
        let files = FileManager.default.enumerator(at: root, includingPropertiesForKeys: nil)
        let pages = (files?.compactMap { $0 as? URL } ?? []).filter { $0.pathExtension == "md" }
        return ["README.md"].map(DocumentationPage.init)
            + pages.map { DocumentationPage(path: catalog + $0.path.dropFirst(root.path.count)) }
            .sorted { $0.path < $1.path }
    }()

    let path: String

    var testDescription: String { path }

    private var url: URL { Repository.root.appendingPathComponent(path) }

    func text() throws -> String { try String(contentsOf: url, encoding: .utf8) }

    func replace(with text: String) throws { try text.write(to: url, atomically: true, encoding: .utf8) }

    /// The page's examples in order; a fence of another kind than these is an error.
    func steps() throws -> [Step] {
        var steps: [Step] = []
        var paragraph = ""
        var fence: (kind: Substring, lines: [Substring])?
        var isNewParagraph = true
        for line in try text().split(separator: "\n", omittingEmptySubsequences: false) {
            let content = line.trimmingCharacters(in: .whitespaces)
            if let open = fence {
                guard content == "```" else {
                    fence?.lines.append(line)
                    continue
                }
                steps += try Self.steps(in: open.lines, kind: open.kind, after: paragraph)
                fence = nil
                paragraph = ""
            } else if content.hasPrefix("```") {
                fence = (content.dropFirst(3)[...], [])
            } else {
                if !content.isEmpty { paragraph = isNewParagraph ? content : paragraph + " " + content }
                isNewParagraph = content.isEmpty
            }
        }
        return steps
    }

    private static func steps(in lines: [Substring], kind: Substring, after paragraph: String) throws -> [Step] {
        let text = lines.joined(separator: "\n")
        switch kind {
        case "sh": return [.commands(lines.map(String.init))]
        case "console": return transcripts(in: lines)
        case "json": return [.json(text, name: name(in: paragraph))]
        case "swift": return [.swift(text)]
        case "text", "bash", "mermaid": return []
        default: throw UnknownFence(kind: String(kind))
        }
    }

    private static func transcripts(in lines: [Substring]) -> [Step] {
        var steps: [Step] = []
        var command: Substring?
        var shown: [Substring] = []
        func close() {
            guard let command else { return }
            steps.append(.transcript(command: String(command), shown: shown.joined(separator: "\n")))
            shown = []
        }
        for line in lines {
            guard line.hasPrefix("$ ") else {
                shown.append(line)
                continue
            }
            close()
            command = line.dropFirst(2)
        }
        close()
        return steps
    }

    /// The file that a paragraph asks the reader to save the next block to.
    private static func name(in paragraph: String) -> String? {
        guard paragraph.hasSuffix(":") else { return nil }
        return (try? /`([A-Za-z0-9.-]+\.json)`/.firstMatch(in: paragraph)).flatMap { String($0.output.1) }
    }

    struct UnknownFence: Error {
        let kind: String
    }
}
