import Testing

@testable import ChoiceService

@Suite("How many vaults are read together") struct GroupSizeTests {
    @Test func `vaults of many megabytes are read one by one`() {
        var size = GroupSize()
        size.learn(bytes: 40 << 20, vaults: size.count)
        #expect(size.count == 1)
        size.learn(bytes: 0, vaults: 0)
        #expect(size.count == 1)
    }

    @Test func `it grows step by step up to the most, and shrinks at once`() {
        var size = GroupSize()
        var counts = [size.count]
        for _ in 0..<6 {
            size.learn(bytes: 10_000 * size.count, vaults: size.count)
            counts.append(size.count)
        }
        #expect(counts == [4, 8, 16, 32, 32, 32, 32] && GroupSize.most == 32)
        size.learn(bytes: 16 << 20, vaults: 32)
        #expect(size.count == 2)
    }
}
