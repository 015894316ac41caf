import Testing
import VectorSearch

@testable import TextEncoding

@Suite("Embeddings in memory")
struct EmbeddingMemoryTests {
    @Test(arguments: [0, 1, 2, 3, 10, 64])
    func `are never more than the limit`(limit: Int) {
        var memory = EmbeddingMemory(limit: limit)
        for number in 0..<200 {
            let text = HashedText("\(number % 70)", numbers: 1)
            if memory.embedding(for: text.key) == nil { memory.insert(text.embedding, for: text.key) }
            #expect(memory.count <= limit)
            #expect(limit < 2 || memory.embedding(for: text.key) == text.embedding)
        }
    }

    @Test func `stay as long as they are used`() {
        var memory = EmbeddingMemory(limit: 10)
        let favourite = HashedText("favourite", numbers: 1)
        memory.insert(favourite.embedding, for: favourite.key)
        for number in 0..<100 {
            let text = HashedText("\(number)", numbers: 1)
            memory.insert(text.embedding, for: text.key)
            #expect(memory.embedding(for: favourite.key) == favourite.embedding)
        }
        #expect(memory.embedding(for: HashedText("1").key) == nil)
    }
}
