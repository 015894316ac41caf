/// Where readings come from.
package enum ReadingsChoice: Sendable, Hashable {
    /// Recorded ones beside the fixture where there are any, else the rules.
    case beside
    case rules
    /// A file, or a folder with one file for each fixture.
    case path(String)
}
