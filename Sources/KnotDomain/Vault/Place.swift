/// A town with its region and country, any of them unknown.
package struct Place: Hashable, Sendable {
    package let city: String?
    package let state: String?
    /// ISO 3166 alpha-2, upper case.
    package let country: String?

    package init(city: String?, state: String?, country: String?) {
        self.city = city
        self.state = state
        self.country = country
    }
}
