import Digest

/// One numbered change of the database, applied once and never edited afterwards.
package struct Migration: Sendable, Hashable {
    /// 1 and up; 0 is the bootstrap of a server that is not Supabase.
    package let number: Int
    /// The file's name without its ending, such as `003_partner_vaults`.
    package let name: String
    package let sql: String
    /// SHA-256 of the file's bytes, as hexadecimal text.
    package let checksum: String
    /// The highest number that a program has to know to work with a database that has this one; its own number unless
    /// it only adds.
    package let worksFrom: Int

    package init(number: Int, name: String, sql: String, worksFrom: Int? = nil) {
        self.worksFrom = worksFrom ?? number
        self.number = number
        self.name = name
        self.sql = sql
        checksum = SHA256Digest(of: sql).hex
    }

    /// The file as people know it.
    package var fileName: String { "\(name).sql" }
}
