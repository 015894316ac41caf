/// Where a setting's value came from; later ones win.
enum SettingLayer: String, Sendable {
    case unset = "default"
    case file
    case environment
    case flag
}
