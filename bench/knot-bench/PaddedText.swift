extension String {
    /// This text and spaces after it, up to the width.
    func padded(_ width: Int) -> String { self + String(repeating: " ", count: max(0, width - count)) }
    /// Spaces before this text, up to the width.
    func leading(_ width: Int) -> String { String(repeating: " ", count: max(0, width - count)) + self }
}
