import KnotDomain

/// The ids of all vaults in their order, fetched a page at a time; those that come and go meanwhile do no harm.
struct VaultPages: Sendable {
    let desk: VaultDesk
    let size: Int
    private var page: [VaultID] = []
    private var place = 0
    private var isLast = false

    init(desk: VaultDesk, size: Int) {
        self.desk = desk
        self.size = size
    }

    /// The next few, at most so many; none after the last.
    mutating func next(most: Int) async throws(CommandError) -> [VaultID] {
        if place == page.count {
            guard !isLast else { return [] }
            page = try await desk.page(after: page.last, limit: size)
            place = 0
            isLast = page.count < size
        }
        let ids = page[place..<min(page.count, place + most)]
        place = ids.endIndex
        return Array(ids)
    }
}
