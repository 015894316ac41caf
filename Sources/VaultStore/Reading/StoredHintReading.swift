package import JSONDocument
package import KnotDomain

/// A row of `hint_readings`.
package struct StoredHintReading: Sendable {
    package let hintID: HintID
    package let reader: String
    package let inputDigest: String
    /// As `knot.reading/1` has one hint; not validated yet, since a reading that is no good only counts as none.
    package let json: JSONValue
}
