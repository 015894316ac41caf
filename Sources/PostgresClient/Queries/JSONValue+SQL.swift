package import JSONDocument

extension JSONValue: SQLArrayElement {
    package static var bindType: PostgresType { .jsonb }
    package static var arrayType: PostgresType { .jsonbArray }

    /// The one version of jsonb's form, then the text.
    package var bind: SQLBind {
        SQLBind(.jsonb, [1] + JSONWriter.bytes(self), flaw: hasZero ? .zeroInText : nil)
    }

    /// True when a string or a name holds U+0000, which jsonb cannot.
    private var hasZero: Bool {
        switch self {
        case .null, .bool, .integer, .number: false
        case .string(let text): text.utf8.contains(0)
        case .array(let items): items.contains(where: \.hasZero)
        case .object(let object): object.members.contains { $0.name.utf8.contains(0) || $0.value.hasZero }
        }
    }
}

extension JSONValue: SQLReadable {
    package init(_ cell: SQLCell) throws(PostgresError) {
        var text = cell.bytes
        switch cell.type {
        case .json: break
        case .jsonb:
            guard text.first == 1 else { throw cell.mismatch("it has an unknown version of jsonb") }
            text = text.dropFirst()
        default: throw cell.mismatch()
        }
        do throws(JSONSyntaxError) {
            self = try JSONParser.parse(Array(text), maximumDepth: 512)
        } catch {
            throw cell.mismatch("its JSON cannot be read")
        }
    }
}
