/// The members of an object, in order; setting a known name keeps its place.
package struct JSONObject: Sendable, Equatable {
    /// One name and its value.
    package struct Member: Sendable, Equatable {
        package let name: String
        package var value: JSONValue

        package init(name: String, value: JSONValue) {
            self.name = name
            self.value = value
        }
    }

    package private(set) var members: [Member]

    package init(_ members: [Member] = []) {
        self.members = members
    }

    package var names: [String] { members.map(\.name) }
    package var isEmpty: Bool { members.isEmpty }

    /// Looks a name up in order, since objects here are small; setting nil removes the member.
    package subscript(name: String) -> JSONValue? {
        get { place(of: name).map { members[$0].value } }
        set {
            let place = place(of: name)
            switch (place, newValue) {
            case (let place?, let value?): members[place].value = value
            case (let place?, nil): members.remove(at: place)
            case (nil, let value?): members.append(Member(name: name, value: value))
            case (nil, nil): break
            }
        }
    }

    /// By places, since to go from member to member would copy each.
    private func place(of name: String) -> Int? {
        for place in members.indices where members[place].name == name { return place }
        return nil
    }
}
