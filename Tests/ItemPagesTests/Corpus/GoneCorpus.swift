import TestSupport

@testable import ItemPages

/// Pages whose item can't be had, each in a way that may look otherwise.
enum GoneCorpus {
    static let manners = [
        "data", "marked", "graph", "cancelled", "words", "words against data", "cross-sold in stock",
        "other day in stock",
        "over", "disabled", "hidden button", "related button", "grid of others", "found a home", "closed", "missing",
        "count", "expired in stock", "used in stock", "header button",
    ]
    private static let ofEvents: Set<String> = ["cancelled", "other day in stock", "over"]

    static func page(_ number: Int) -> CorpusPage {
        let manner = manners[number % manners.count]
        var maker = CorpusMaker(seed: UInt64(number) + 9_000, isEvent: ofEvents.contains(manner))
        let (head, body) = parts(manner, &maker)
        return maker.page(body, head: head, manner: manner)
    }

    private static func parts(_ manner: String, _ maker: inout CorpusMaker) -> (head: String, body: String) {
        let state = maker.pick(["OutOfStock", "SoldOut", "Discontinued"])
        let words = maker.pick([
            "Sold out", "Out of stock", "This product is no longer available.", "Ausverkauft", "Agotado",
            "Rupture de stock",
            "Currently unavailable", "Sorry, this item is sold out.", "SOLD OUT", "Esaurito",
        ])
        let said = "<p class=stock>\(words)</p>"
        let inStock = maker.offer("InStock")
        switch manner {
        case "data": return (maker.data(offers: maker.offer(state)), "")
        case "marked": return ("", maker.marked(state))
        case "graph":
            return ("<meta property='product:availability' content='\(maker.pick(["oos", "out of stock"]))'>", "")
        case "cancelled":
            return (maker.data(offers: inStock, day: CorpusMaker.ownDay, status: "EventCancelled"), "")
        case "words": return ("", said)
        case "words against data": return (maker.data(offers: inStock), said)
        case "cross-sold in stock": return (maker.data(maker.other, offers: inStock), said)
        case "other day in stock":
            return (maker.data(offers: inStock, day: "2026-06-27T19:30:00-04:00"), "<p>This date is sold out</p>")
        case "over":
            return (
                maker.data(offers: inStock, day: "2026-06-20", more: #","endDate":"2026-04-01""#),
                "<p>This event has ended.</p>"
            )
        case "disabled": return ("", said + "<button disabled>Add to cart</button>")
        case "hidden button":
            return ("<style>.buy-it{display:none}</style>", said + "<button class='btn buy-it'>Add to cart</button>")
        case "related button":
            return ("", said + "<h2>Related products</h2><p>\(maker.other)</p><button>Add to cart</button>")
        case "grid of others":
            let card = "<div class=card><b>\(maker.other)</b> $9 <button>Add to cart</button></div>"
            return ("", "<p>This piece has found a new home.</p><h2>From the maker</h2>\(card)\(card)\(card)")
        case "found a home":
            return ("", "<p>\(maker.pick(["Sold", "Gone to a new home", "All our stock was claimed"]))</p>")
        case "closed": return ("", "<p>We are permanently closed. Thank you for twelve good years.</p>")
        case "missing": return ("", "<h1>Page not found</h1>")
        case "count": return ("", "<p>0 in stock</p>")
        case "expired in stock":
            return (maker.data(offers: maker.offer("InStock", more: #","validThrough":"2026-01-31""#)), said)
        case "used in stock":
            let used = maker.offer("InStock", more: #","itemCondition":"UsedCondition""#)
            return (maker.data(offers: "[\(used),\(maker.offer(state))]"), "")
        default: return ("", "<header><a href=/b>Book now</a></header>" + said)
        }
    }
}
