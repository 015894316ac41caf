import JSONDocument
import Testing

@Suite struct `The line of a path` {
    private let text = """
        {
          "name": "x", "odd name": 1,
          "nodes": [
            { "id": "a", "inputs": { "pool": ["b",
              "c"] } },
            {
              "id": "d:{" , "quo\\"te": [[], {},
                { "deep" :
                  null }]
            }
          ]
        }
        """

    @Test(arguments: [
        ("$", 1), ("$.name", 2), (#"$["odd name"]"#, 2), ("$.nodes", 3), ("$.nodes[0]", 4),
        ("$.nodes[0].inputs.pool", 4),
        ("$.nodes[0].inputs.pool[1]", 5), ("$.nodes[1]", 6), ("$.nodes[1].id", 7),
        (#"$.nodes[1]["quo\"te"][2].deep"#, 8),
    ])
    func `is where the member or item begins`(path: String, line: Int) {
        #expect(JSONLine.number(of: path, in: Array(text.utf8)) == line)
    }

    @Test(arguments: [("$.nodes[0].kind", 4), ("$.node", 1), ("$.nodes[7]", 3), ("$.nodes[1].id.x", 7)])
    func `is that of the nearest thing around it where the path leads nowhere`(path: String, line: Int) {
        #expect(JSONLine.number(of: path, in: Array(text.utf8)) == line)
    }
}
