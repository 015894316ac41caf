import HTTPClient
import KnotDomain
import Recommendation
import Testing

@testable import ItemPages

/// A gift that can be had is not to be lost to a word that is said of something else, or of another time.
@Suite("Words of a page whose item can be had")
struct PageLivingTests {
    private func reading(_ body: String, title: String = "Rosa bowl") -> PageReading {
        let page = "<html><head><title>\(title)</title></head><body><h1>\(title)</h1>\(body)</body></html>"
        let today = CivilDate(year: 2_026, month: 5, day: 5)
        return PageReading(Array(page.utf8), of: PageItem(title: title, currency: .usd, today: today))
    }

    @Test(
        arguments: [
            // Said of a place, an hour, a condition or a reason.
            "<table><tr><th>Is Discontinued By Manufacturer</th><td>No</td></tr></table>",
            "<li><span>Is Discontinued By Manufacturer : </span><span>No</span></li>", "<p>Sold out in stores</p>",
            "<p>Sold out at our downtown shop.</p>", "<p>Tickets are no longer available after 8 pm.</p>",
            "<p>The event is cancelled in case of rain.</p>", "<p>Sold out for Friday</p>",
            "<p>Ausverkauft in der Filiale</p>", "<p>Épuisé en magasin</p>", "<p>Agotado en tiendas</p>",
            // Of other things.
            "<p>Out of stock items ship later</p>", "<p>Discontinued products are listed below</p>",
            "<p>Sold out shows are not refunded</p>",
            // Of a form of it.
            "<ul><li>38 - Sold out</li><li>39</li></ul>", "<p>Size 38: sold out</p>", "<p>XL: out of stock</p>",
            "<p>Regular tickets: sold out</p><p>Premium tickets: $60</p>", "<p>VIP - sold out</p>",
            "<p>Out of stock in this size</p>",
            // Contradicted in the same breath.
            "<p>Sold out in stores. Available online.</p>", "<p>Sold out and back again! Ships tomorrow.</p>",
            "<p>Sold out</p><p>Only 3 left in stock</p>", "<p>In stock</p><p>Sold out</p>",
            "<p>Ausverkauft</p><p>Sofort lieferbar</p>",
        ]
    )
    func `leave it open, and whoever sells it has it`(body: String) {
        #expect(reading(body).signal == .none && reading(body).kind == .unclear, "\(body)")
        #expect(reading(body + "<button>Add to cart</button>").signal == .inStock, "\(body)")
    }

    @Test(
        arguments: [
            "<p>Sold out at the moment.</p>", "<p>Out of stock for now</p>", "<p>No longer available for purchase</p>",
            "<p>$25.00 Sold out</p>", "<p>25,00 € ausverkauft</p>", "<p>Price: $60 - sold out</p>",
            "<p>0 - Sold out</p>", "<p>Sold out. Email me when it is back in stock.</p>",
            "<p>Sold out</p><p>Notify me when available</p><button>Back in stock alerts</button>",
            "<p>Sold out</p><p>Not in stock</p>", "<p>Out of stock until further notice</p>",
            "<h2>Sold out - item no. 4711</h2>", "<p>Sold out</p><p>0 left</p>",
        ]
    )
    func `are none that say that it is gone`(body: String) {
        #expect(reading(body).signal == .outOfStock, "\(body)")
    }

    @Test(
        arguments: [
            "<p>Free store pickup at Oakwood Mall</p><p>Unavailable</p>",
            "<p>Recogida en tienda de Madrid Centro</p><p>No disponible</p>",
            "<p>Ritiro gratuito nel tuo negozio preferito</p><p>Non disponibile</p>",
            "<p>In-store pickup at your nearest location</p><p>Unavailable</p>", "<p>Discontinued: No</p>",
            "<p>Discontinued by manufacturer: No</p>", "<tr><td>Discontinued</td><td>No</td></tr>",
            "<p>Sold out for March 12</p>", "<p>Sold out in all sizes except M</p>", "<p>Sold out in Portland</p>",
            "<p>Sold out for the season in Portland</p>", "<p>Tickets are no longer available by phone.</p>",
            "<p>Fully booked by 6 pm</p>", "<p>Online sales have ended</p>",
            "<p>Sales have ended</p><p>Tickets at the door $60</p>", "<p>5.0 In stock</p><p>Sold out</p>",
            "<p>Size 38 Sold out</p>", "<p>Sold out</p><p>10 in stock</p>",
        ]
    )
    func `leave it open beside a line, a place or an answer that may be meant`(body: String) {
        #expect(reading(body).signal == .none && reading(body).kind == .unclear, "\(body)")
        #expect(reading(body + "<button>Add to cart</button>").signal == .inStock, "\(body)")
    }

    @Test(
        arguments: [
            // Whoever gave it up, what it is or when it is, and all that the shop has.
            "This event has been cancelled by the event organizer.",
            "This item has been discontinued by the manufacturer.", "Tickets are no longer available for this event.",
            "We are fully booked for this date.", "This product is no longer available in our store.",
            "Sold out in all sizes.", "Sold out for the season", "Ausverkauft für diese Saison",
            "This event has been cancelled for safety reasons.", "The show is cancelled for tonight.",
            "No longer available from May 2026", "Sold out for 2026",
            // A count of none.
            "0 in stock</p><p>Sold out", "In stock: 0</p><p>Out of stock", "In stock: No</p><p>Sold out",
            "Quantity 1 Sold out", "Menge: 1 Ausverkauft",
            // Below what is the item's own.
            "$60.00</p><p>Unavailable", "60 kr</p><p>Unavailable", "Rosa bowl</p><p>Unavailable",
            "Availability</p><p>Unavailable", "No disponible por el momento.", "Momenteel niet verkrijgbaar.",
        ]
    )
    func `of the item's end, of a count of none, or below the item's own line say that it is gone`(words: String) {
        #expect(reading("<p>\(words)</p>").signal == .outOfStock, "\(words)")
    }

    /// Each stands in the beginning of a line that goes on, is of another thing, or is a day to come.
    @Test(
        arguments: [
            "This item has been removed from your cart", "Our summer offer has expired",
            "Quilt class listing has ended",
            "No longer accepting bookings for groups", "Size M: 0 in stock", "0 in stock at Portland", "10 in stock",
            "5.0 in stock", "No tickets available at the door", "販売終了日 2026年5月10日", "受付終了</p><p>5月10日 18:00",
            "本日は閉店しました", "販売終了</p><p>2026年5月10日", "Menu complet", "สินค้าหมดอายุ 2027", "If this offer has expired",
        ]
    )
    func `say nothing for sure that go on, are of another thing, or of a day to come`(words: String) {
        #expect(reading("<p>\(words)</p>").signal == .none, "\(words)")
        #expect(reading("<p>\(words)</p><button>Add to cart</button>").signal == .inStock, "\(words)")
    }

    @Test(
        arguments: [
            "0 in stock", "Only 0 in stock", "Product has been deleted", "This listing has ended",
            "This listing was ended by the seller", "This offer has expired", "Email me when back in stock",
            "No longer accepting bookings", "This event has already taken place.", "No tickets available", "Ausgebucht",
            "Cet évènement est annulé", "販売終了", "受付終了", "閉店しました", "Complet", "Stoc epuizat", "Немає в наявності",
            "אזל מהמלאי", "สินค้าหมด", "Hết hàng",
        ]
    )
    func `that say by themselves that nothing is left say that it is gone`(words: String) {
        #expect(reading("<p class=stock>\(words)</p>").signal == .outOfStock, "\(words)")
    }

    @Test(
        arguments: [
            // Denied, of another time, still to come, or of other things, in scripts without spaces.
            "在庫切れではありません", "前回は即完売の人気商品、再入荷しました", "完売しておりません", "完売商品は返金いたしません", "完売次第終了", "本日の公演は完売しました",
            "품절 임박", "매진 행렬! 지금 예약하세요", "품절 상품은 환불됩니다", "即将售罄", "永不售罄", "尚未售完，歡迎選購", "上次活動取消，今次重開", "售罄的商品",
            "ไม่ใช่สินค้าหมดแล้ว", "ใกล้ขายหมดแล้ว", "完売しました</p><p>再入荷しました",
            // Of others by what leads on.
            "This edition sold out and we printed it again.", "It was out of stock but we have more.",
            "Il est épuisé et heureux.", "Questa è esaurita e felice.", "Está esgotada e precisa de descanso.",
            "Das Konzert ist ausverkauft und im Fernsehen.",
            // In a legend, or behind a label.
            "Available</p><p>Sold out</p><p>Few left", "Verfügbar</p><p>Ausverkauft</p><p>Restplätze",
            "Contenu</p><p>Complet",
        ]
    )
    func `leave it open where they are denied, led on from, or stand in a legend`(words: String) {
        #expect(reading("<p>\(words)</p>").signal == .none && reading("<p>\(words)</p>").kind == .unclear, "\(words)")
        #expect(reading("<p>\(words)</p><button>Add to cart</button>").signal == .inStock, "\(words)")
    }

    @Test(
        arguments: [
            "完売しました", "完売いたしました。ありがとうございました", "申し訳ございません。この商品は現在品切れです", "売り切れました", "【完売】", "完売御礼",
            "ご好評につき完売しました、次回をお待ちください", "公演中止のお知らせ", "在庫切れ中", "이 상품은 현재 품절입니다", "품절되었습니다", "매진 되었습니다", "전석 매진",
            "공연이 취소되었습니다",
            "품절된 상품입니다", "抱歉，该商品已售罄", "此商品已售完了", "该商品已下架，请选购其他商品", "暂时缺货", "本次活動取消", "ขออภัย สินค้าหมดแล้วค่ะ", "販売終了しました",
            // The same once more, whatever is to be done now, or what is known.
            "Sold out and no longer available", "Sold out and out of stock", "Sold out and sorry",
            "Sold out but please notify me",
            "Épuisé et indisponible", "Ausverkauft und nicht mehr lieferbar", "Sold out and it is discontinued",
            "Disponibilité</p><p>Complet", "25 €</p><p>Complet", "Availability</p><p>Sold out",
            "Une soirée de chansons et de poèmes au bord de la mer</p><p>Complet",
        ]
    )
    func `say that it is gone with what may stand beside them in scripts without spaces, and with the same once more`(
        words: String
    ) {
        #expect(reading("<p>\(words)</p>").signal == .outOfStock, "\(words)")
    }

    @Test func `of a basket are none of the item`() {
        let drawer = "<div class=\"drawer cart-drawer\"><p>Sold out</p></div><cart-drawer><p>Sold out</p></cart-drawer>"
        #expect(reading(drawer).signal == .none && reading(drawer).kind == .item)
        #expect(reading("<div class=page-cart-drawer-closed><p>Sold out</p></div>").signal == .outOfStock)
    }

    @Test func `of a number alone say that there is no such page, unless the item is called so`() {
        let item = PageItem(title: "Rosa bowl", currency: .usd)
        for title in ["404", "410", "Oops! 404", "404 | Shop", "Error 404"] {
            let page = "<title>\(title)</title><h1>404</h1><p><a href=/>Home</a></p>"
            #expect(PageReading(Array(page.utf8), of: item).kind == .missing, "\(title)")
        }
        for title in ["Model 404 lamp", "Route 410", "Rosa bowl 404"] {
            #expect(PageReading(Array("<title>\(title)</title>".utf8), of: item).kind == .item, "\(title)")
        }
        let named = PageItem(title: "404", currency: .usd)
        #expect(PageReading(Array("<title>404</title><h1>404</h1>".utf8), of: named).kind == .item)
    }

    @Test(arguments: PageWording.putOff)
    func `say nothing for sure of a day that was put off`(phrase: String) {
        #expect(reading("<p>\(phrase)</p>").kind == .unclear)
    }

    @Test(arguments: PageWording.alone)
    func `say it where they stand alone, and not beside what else may be meant`(word: String) {
        #expect(reading("<p>\(word.uppercased())</p>").signal == .outOfStock)
        #expect(reading("<p>Reviews \(word)</p>").signal == .none && reading("<p>Reviews \(word)</p>").kind == .item)
        #expect(reading("<table><tr><td>Store pickup</td><td>\(word)</td></tr></table>").kind == .unclear)
    }

    @Test(
        arguments: [
            "<p>Aus&shy;ver&shy;kauft</p>", "<p>ＳＯＬＤ ＯＵＴ</p>", "<p>e\u{301}puise\u{301}</p>",
            "<p>Vyproda\u{301}no</p>", "<p>ΕΞΑΝΤΛΗΜΈΝΟ</p>", "<p>Sold&zwnj;&nbsp;out</p>",
        ]
    )
    func `are read however their letters are written`(body: String) {
        #expect(reading(body).signal == .outOfStock, "\(body)")
    }

    @Test(
        arguments: [
            "<body>Pardon Our Interruption</body>", "<body><h2>Zugriff verweigert</h2></body>",
            "<title>Bitte bestätigen Sie, dass Sie ein Mensch sind</title><body>x</body>",
            "<title>shop.example</title><p>Access denied</p>",
        ]
    )
    func `are no words of a wall, wherever it says what it is`(page: String) {
        let item = PageItem(title: "Rosa bowl", currency: .usd)
        #expect(PageReading(Array(page.utf8), of: item).kind == .wall, "\(page)")
        // The page of the item may speak of such things.
        let own =
            "<title>Rosa bowl</title>"
            + page.replacing("<title>", with: "<p>").replacing("</title>", with: "</p>")
            .replacing("body>", with: "div>")
        #expect(PageReading(Array(own.utf8), of: item).kind == .item, "\(own)")
    }

    @Test func `of a short page without the item's name say that there is no such page`() {
        let item = PageItem(title: "Rosa bowl", currency: .usd)
        for body in ["<p>Sorry, this page does not exist.</p>", "<h2>Diese Seite existiert nicht</h2>"] {
            #expect(PageReading(Array("<title>Shop</title>\(body)".utf8), of: item).kind == .unclear, "\(body)")
            #expect(PageReading(Array("<title>Rosa bowl</title>\(body)".utf8), of: item).kind == .item, "\(body)")
        }
    }

    @Test func `of every country that is served say when it is gone`() {
        let gone = [
            "de": "Nicht vorrätig", "nl": "Niet leverbaar", "fr": "Cet article est en rupture de stock.",
            "es": "No hay existencias", "it": "Non è più disponibile", "pt": "Produto esgotado",
            "fi": "Varasto loppu", "el": "Εξαντλημένο", "hu": "Elfogyott", "zh-TW": "補貨中", "zh-HK": "缺貨",
            "pl": "Brak towaru", "cs": "Není skladem", "da": "Ikke på lager", "no": "Utsolgt", "sv": "Ej i lager",
            "tr": "Stokta yok", "ja": "在庫なし", "ko": "매진", "ar": "غير متوفر حالياً", "ms": "Stok habis",
            "hi": "स्टॉक में नहीं है",
        ]
        for (language, words) in gone { #expect(reading("<p>\(words)</p>").signal == .outOfStock, "\(language)") }
        let cancelled = [
            "Die Veranstaltung wurde abgesagt.", "Événement annulé", "Evento cancelado", "Evento annullato",
            "Het evenement gaat niet door", "Wydarzenie odwołane", "Arrangementet er aflyst", "Evenemanget är inställt",
            "Tapahtuma on peruttu", "Akce je zrušena", "Etkinlik iptal edildi", "公演中止", "活動已取消",
            "Η εκδήλωση ακυρώθηκε",
        ]
        for words in cancelled { #expect(reading("<p>\(words)</p>").signal == .outOfStock, "\(words)") }
    }
}
