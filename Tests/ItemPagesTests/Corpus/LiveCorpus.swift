import TestSupport

@testable import ItemPages

/// Pages whose item can be had, each in a way that may look otherwise.
enum LiveCorpus {
    static let manners: [String] = data + events + words + markup

    private static let data = [
        "plain", "marked", "cross-sold only", "expired offer", "expired sold out", "beside a basket", "used is gone",
        "one of several", "list of others", "price in euros", "stale price",
    ]
    private static let events = [
        "another day", "last year", "last year in stock", "another day cancelled", "matinee", "one of several days",
        "goes on", "day in words", "all days but one", "table of days",
    ]
    private static let words = [
        "lifted", "price unavailable", "price row", "share", "form", "pickup", "memory", "question", "condition",
        "soon", "name", "asked of", "quote", "service", "another edition",
    ]
    private static let markup = [
        "own class", "own id", "class within", "script", "related", "drawer", "select", "style later",
        "part of a class",
    ]

    static func page(_ number: Int) -> CorpusPage {
        let manner = manners[number % manners.count]
        var maker = CorpusMaker(seed: UInt64(number) + 1_000, isEvent: events.contains(manner))
        let (head, body) = parts(manner, &maker)
        // Most have something to press, and some say what they have by being there.
        let isPressed = data.contains(manner) || Int.random(in: 0..<10, using: &maker.random) < 4
        return maker.page(
            body + (isPressed || manner == "beside a basket" ? maker.button() : ""),
            head: head,
            manner: manner
        )
    }

    private static func parts(_ manner: String, _ maker: inout CorpusMaker) -> (head: String, body: String) {
        if data.contains(manner) {
            return (dataHead(manner, &maker), manner == "marked" ? maker.marked("InStock") : "")
        }
        if events.contains(manner) { return eventParts(manner, &maker) }
        return markup.contains(manner) ? markupParts(manner, &maker) : ("", wordsBody(manner, &maker))
    }

    private static func dataHead(_ manner: String, _ maker: inout CorpusMaker) -> String {
        let gone = maker.pick(["OutOfStock", "SoldOut", "Discontinued"])
        switch manner {
        case "plain":
            return maker.data(offers: maker.offer(maker.pick(["InStock", "PreOrder", "LimitedAvailability"])))
        case "cross-sold only": return maker.data(maker.other, offers: maker.offer(gone))
        case "expired offer": return maker.data(offers: maker.offer("InStock", more: #","validThrough":"2026-02-01""#))
        case "expired sold out":
            return maker.data(offers: maker.offer(gone, more: #","validThrough":"2025-12-01T00:00:00Z""#))
        case "beside a basket": return maker.data(offers: maker.offer(maker.pick(["OutOfStock", "SoldOut"])))
        case "used is gone":
            let used = maker.offer(gone, more: #","itemCondition":"https://schema.org/UsedCondition""#)
            return maker.data(offers: "[\(used),\(maker.offer("InStock"))]")
        case "one of several": return maker.data(offers: "[\(maker.offer(gone)),\(maker.offer("InStock"))]")
        case "list of others":
            let thing = #"{"@type":"Product","name":"\#(maker.other)","offers":\#(maker.offer(gone))}"#
            return maker.script(#"{"@type":"ItemList","itemListElement":[{"@type":"ListItem","item":\#(thing)}]}"#)
        case "price in euros": return maker.data(offers: maker.offer("InStock").replacing("USD", with: "EUR"))
        case "stale price": return maker.data(offers: maker.offer("InStock", more: #","priceValidUntil":"2025-12-31""#))
        default: return ""
        }
    }

    private static func eventParts(_ manner: String, _ maker: inout CorpusMaker) -> (String, String) {
        let gone = maker.pick(["OutOfStock", "SoldOut"])
        let later = maker.pick(["2026-06-27T19:30:00-04:00", "2026-07-04", "2026-05-30T20:00"])
        let past = maker.pick(["2025-06-21T19:30:00-04:00", "2025-06-20", "2024-06-22T19:30"])
        let own = maker.data(offers: maker.offer("InStock"), day: CorpusMaker.ownDay)
        switch manner {
        case "another day": return (maker.data(offers: maker.offer(gone), day: later), "")
        case "last year": return (maker.data(day: past), "")
        case "last year in stock": return (maker.data(offers: maker.offer("InStock"), day: past), "")
        case "another day cancelled": return (maker.data(day: later, status: "EventCancelled"), "")
        case "matinee": return (maker.data(offers: maker.offer(gone), day: "2026-06-20T14:00:00-04:00"), "")
        case "one of several days": return (maker.data(offers: maker.offer(gone), day: later) + own, "")
        case "goes on":
            let more = #","endDate":"2026-09-01""#
            return (maker.data(offers: maker.offer("InStock"), day: "2026-04-01", more: more), "")
        case "day in words":
            let day = maker.pick(["on Friday", "on 12 June", "on June 19", "for June 19", "on Saturday afternoon"])
            return ("", "<p>\(maker.pick(["Sold out", "Fully booked", "Cancelled"])) \(day)</p>")
        case "table of days":
            let days = ["Fri 19 June", "12 Jun", "Samedi 27 juin", "13.06.2026"].map {
                "<tr><td>\($0)</td><td>Sold out</td></tr>"
            }
            return ("", "<table>\(days.joined())<tr><td>Sat 20 June</td><td>Book</td></tr></table>")
        default:
            let rows = ["05.06.2026", "12.06.", "06/19/2026", "2026-06-13"].map { "<li>\($0) Sold out</li>" }
            return ("", "<ul>\(rows.joined())<li>20.06.2026 19:30</li></ul>")
        }
    }

    private static func wordsBody(_ manner: String, _ maker: inout CorpusMaker) -> String {
        let texts: [String]
        switch manner {
        case "lifted":
            texts = [
                "No longer sold out!", "This item is no longer out of stock.", "No longer unavailable",
                "Our class is no longer fully booked.", "Nicht mehr ausverkauft", "Ya no está agotado",
                "N'est plus épuisé", "Non è più esaurito", "Já não está esgotado", "Niet langer uitverkocht",
                "Inte längre slutsåld", "It isn't sold out", "No longer cancelled: the show goes on",
            ]
        case "price unavailable":
            texts = [
                "Price unavailable", "Price currently unavailable", "Price is temporarily unavailable",
                "Price no longer available", "Preis derzeit nicht verfügbar", "Prix indisponible",
                "Prix actuellement indisponible", "Precio no disponible", "Prezzo non disponibile",
                "Prijs niet beschikbaar", "Sale price unavailable", "Regular price currently unavailable",
            ]
        case "price row":
            return maker.pick([
                "<dl><dt>Price</dt><dd>Unavailable</dd></dl>", "<p>Sale price</p><p>Not available</p>",
                "<tr><td>Unit price</td><td>Unavailable</td></tr>", "<div>Preis</div><div>Nicht verfügbar</div>",
            ])
        case "share":
            texts = [
                "80% sold out", "Already 65 % sold out", "90% ausverkauft", "75 % fully booked",
                "10% offer has expired",
            ]
        case "form":
            texts = ["Size M: sold out", "XL sold out", "Early bird: sold out", "Sold out in blue", "38 - sold out"]
        case "pickup":
            texts = [
                "Sold out in stores", "In-store pickup unavailable", "Store pickup currently unavailable in Dover",
            ]
        case "memory":
            texts = [
                "Sold out last year", "Sold out in 2024, back for 2026", "We were sold out in two days",
                "Previously sold out",
            ]
        case "question": texts = ["Sold out?", "What if it is sold out?", "Is this product discontinued?"]
        case "condition":
            texts = [
                "If this item is sold out, we refund you.", "Cancelled only in case of storm",
                "When sold out, orders wait",
            ]
        case "soon":
            texts = [
                "Almost sold out", "Nearly sold out, 3 left", "Soon sold out", "Bald ausverkauft", "Often sold out",
            ]
        case "name":
            texts = [
                "A tale of a tour that was sold out", "Poster of the Sold Out Tour", "From the Closed Doors series",
            ]
        case "asked of":
            return
                "<table><tr><th>Discontinued by manufacturer</th><td>No</td></tr><tr><th>Sold out</th><td>No</td></tr></table>"
        case "quote":
            texts = [
                "“Sold out before I came, so be quick”", "Reviewers say: it sold out fast", "Press: sold out houses",
            ]
        case "service":
            texts = ["Gift wrap unavailable", "Engraving is currently unavailable", "Reviews temporarily unavailable"]
        default:
            texts = [
                "Our first edition is sold out", "The red one is no longer available", "The spring course is cancelled",
            ]
        }
        let tag = maker.pick(["p", "div", "strong", "span"])
        return "<\(tag)>\(maker.pick(texts))</\(tag)>"
    }

    private static func markupParts(_ manner: String, _ maker: inout CorpusMaker) -> (String, String) {
        let text = maker.pick(["Sold out", "Currently unavailable", "This event is cancelled", "Out of stock"])
        let hiding = maker.pick([
            "display:none", "display : none !important", "visibility: hidden", "color:red;display:none",
        ])
        switch manner {
        case "own class":
            return ("<style>.x7-gone{\(hiding)} p{margin:0}</style>", "<p class='note x7-gone'>\(text)</p>")
        case "own id":
            return ("<style>a{b:c} #stock-note , .q { \(hiding) }</style>", "<div id=stock-note>\(text)</div>")
        case "class within":
            return (
                "<style>.is-there .msg-gone{\(hiding)}</style>",
                "<div class=is-there><b class=msg-gone>\(text)</b></div>"
            )
        case "script": return ("<script>var t={soldOut:'\(text)'}</script>", "<template><p>\(text)</p></template>")
        case "related":
            return ("", "<section class=upsell><p>\(maker.other)</p><p>\(text)</p></section>")
        case "drawer": return ("", "<div class=cart-drawer><p>\(text)</p></div>")
        case "select": return ("", "<select><option>Red</option><option>Blue - sold out</option></select>")
        case "style later":
            return ("", "<p class=zz>\(text)</p><style>/* of stock */ @media all { .zz { \(hiding) } }</style>")
        default:
            let name = maker.pick(["js-hidden", "stock--hidden", "tw-hidden", "hide-initially", "is_hidden"])
            return ("", "<p class='\(name)'>\(text)</p>")
        }
    }
}
