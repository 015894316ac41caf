package import JSONDocument

/// How the answer of one kind of effect is written into a recording and read back.
package struct EffectCodec<Value: Sendable>: Sendable {
    package let encode: @Sendable (Value) -> JSONValue
    /// Nil when the value is not what `encode` writes.
    package let decode: @Sendable (JSONValue) -> Value?

    package init(
        encode: @escaping @Sendable (Value) -> JSONValue,
        decode: @escaping @Sendable (JSONValue) -> Value?
    ) {
        self.encode = encode
        self.decode = decode
    }
}

extension EffectCodec where Value == JSONValue {
    /// For answers that are JSON already.
    package static var json: Self { Self(encode: { $0 }, decode: { $0 }) }
}
