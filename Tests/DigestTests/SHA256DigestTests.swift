import Digest
import Testing

@Suite("A digest")
struct SHA256DigestTests {
    @Test func `of nothing and of abc are the published values`() {
        #expect(
            SHA256Digest(of: "").hex == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
        )
        #expect(
            SHA256Digest(of: "abc").hex == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
        )
    }

    @Test func `starts with the bytes its short form shows`() {
        #expect(SHA256Digest(of: "abc").prefix64 == 0xba78_16bf_8f01_cfea)
    }

    @Test func `of random bytes differs from call to call`() {
        let first = RandomBytes.make(32)
        #expect(first.count == 32)
        #expect(first != RandomBytes.make(32))
        #expect(RandomBytes.make(0).isEmpty)
    }
}
