/// Where in which file something is written.
package struct SourcePlace: Sendable, Hashable {
    package let file: String
    package let path: String

    package init(file: String, path: String = "$") {
        self.file = file
        self.path = path
    }

    /// A plain member of this place.
    func member(_ name: String) -> SourcePlace { SourcePlace(file: file, path: "\(path).\(name)") }
    func item(_ index: Int) -> SourcePlace { SourcePlace(file: file, path: "\(path)[\(index)]") }
}
