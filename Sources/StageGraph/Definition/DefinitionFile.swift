/// The bytes of a definition and the name under which its problems are reported; equal names mean the same file.
package struct DefinitionFile: Sendable, Equatable {
    package let name: String
    package let bytes: [UInt8]

    package init(name: String, bytes: [UInt8]) {
        self.name = name
        self.bytes = bytes
    }
}
