import TextReading

/// What pages say in words, in the languages of the countries that are served, in small letters.
///
/// Words decide only where a page has no data of its own for machines, and only where nothing else contradicts them.
enum PageWording {
    /// The item cannot be bought now.
    static let soldOut = [
        // English
        "sold out", "out of stock", "currently unavailable", "no longer available", "not available for purchase",
        "temporarily unavailable", "this item is unavailable", "this product is unavailable", "discontinued",
        "notify me when available", "email me when available", "join the waitlist", "tickets are no longer available",
        "this event has ended", "this event is over", "event cancelled", "event canceled", "has been cancelled",
        "has been canceled", "is cancelled", "is canceled", "was cancelled", "was canceled", "fully booked",
        "no longer sold",
        // German
        "ausverkauft", "nicht auf lager", "nicht lieferbar", "derzeit nicht verfügbar", "zurzeit nicht verfügbar",
        "momentan nicht verfügbar", "nicht mehr verfügbar", "leider nicht verfügbar", "zur zeit nicht verfügbar",
        "vergriffen",
        // French
        "rupture de stock", "épuisé", "épuisée", "actuellement indisponible", "n'est plus disponible",
        "n’est plus disponible",
        "produit indisponible", "victime de son succès",
        // Spanish
        "agotado", "agotada", "agotados", "agotadas", "sin existencias", "producto no disponible",
        "no disponible actualmente", "ya no está disponible", "fuera de stock",
        // Italian
        "esaurito", "esaurita", "esauriti", "non disponibile", "non è più disponibile", "attualmente non disponibile",
        // Portuguese
        "esgotado", "esgotada", "esgotados", "esgotadas", "fora de estoque", "sem estoque", "indisponível",
        "não está mais disponível", "sem stock",
        // Dutch
        "uitverkocht", "niet op voorraad", "niet meer leverbaar", "momenteel niet beschikbaar",
        // Polish
        "wyprzedane", "produkt niedostępny", "brak w magazynie", "chwilowo niedostępny",
        // Swedish, Danish, Norwegian, Finnish
        "slutsåld", "slut i lager", "finns ej i lager", "udsolgt", "ikke på lager", "utsolgt", "loppuunmyyty",
        "ei saatavilla",
        // Czech, Turkish, Russian, Arabic, Japanese, Korean, Chinese
        "vyprodáno", "není skladem", "tükendi", "stokta yok", "нет в наличии",
        "غير متوفر", "在庫切れ", "売り切れ", "品切れ", "完売", "품절", "缺货", "售罄", "已售完",
    ]

    /// The place or shop will not open again.
    static let closedForGood = [
        "permanently closed", "closed permanently", "has closed its doors", "we have closed for good",
        "closed for good",
        "dauerhaft geschlossen", "für immer geschlossen", "définitivement fermé", "fermé définitivement",
        "cerrado permanentemente", "cerrado definitivamente", "chiuso definitivamente", "fechado permanentemente",
        "encerrado permanentemente", "permanent gesloten", "definitief gesloten", "permanent stängt",
        "permanent lukket",
        "nieczynne na stałe", "trwale zamknięte", "閉業", "폐업",
    ]

    /// The item can be put into a basket or booked, whatever is said of others on the page.
    static let buyable = [
        "add to cart", "add to bag", "add to basket", "buy now", "buy tickets", "get tickets", "find tickets",
        "book now", "buy it now", "add to trolley", "book tickets",
        "in den warenkorb", "in den einkaufswagen", "jetzt kaufen", "ajouter au panier", "acheter maintenant",
        "añadir al carrito", "agregar al carrito", "añadir a la cesta", "comprar ahora", "aggiungi al carrello",
        "acquista ora", "adicionar ao carrinho", "comprar agora", "in winkelwagen", "in winkelmandje",
        "dodaj do koszyka",
        "do koszyka", "lägg i varukorg", "köp nu", "læg i kurv", "legg i handlekurv", "lisää ostoskoriin",
        "přidat do košíku", "do košíku", "sepete ekle", "カートに入れる", "장바구니", "加入购物车",
    ]

    /// A page that is not there, although its status says that it is; in a title or a heading only.
    static let missing = [
        "page not found", "404 not found", "error 404", "404 error", "not found", "page doesn't exist",
        "page does not exist", "page no longer exists", "product not found", "item not found", "listing not found",
        "seite nicht gefunden", "seite wurde nicht gefunden", "produkt nicht gefunden", "page introuvable",
        "page non trouvée", "produit introuvable", "página no encontrada", "producto no encontrado",
        "pagina non trovata", "pagina niet gevonden", "página não encontrada", "produto não encontrado",
        "nie znaleziono strony", "strona nie została znaleziona", "sidan hittades inte", "siden blev ikke fundet",
        "siden ble ikke funnet", "sivua ei löytynyt", "stránka nenalezena", "sayfa bulunamadı", "ページが見つかりません",
        "페이지를 찾을 수 없습니다", "页面不存在",
    ]

    /// Titles and headings of what stands before a page to keep machines out.
    static let walls = [
        "just a moment", "attention required", "access denied", "access to this page has been denied", "robot check",
        "are you a robot", "are you human", "are you a human", "verify you are human", "verifying you are human",
        "pardon our interruption", "security check", "bot verification", "ddos protection", "request blocked",
        "you have been blocked", "please enable cookies", "human verification", "checking your browser", "captcha",
        "one more step", "sicherheitsüberprüfung", "vérification de sécurité", "verificación de seguridad",
    ]

    /// The same of what asks for something first: consent, an age, a name, a turn, a script.
    ///
    /// On a page of few words, and not beside the item's own name, since a banner may say it too.
    static let interstitials = [
        "before you continue", "we value your privacy", "we care about your privacy", "cookie consent",
        "accept cookies", "age verification", "verify your age", "confirm your age", "are you of legal drinking age",
        "are you over 18", "are you 18", "are you over 21", "are you 21", "sign in to continue", "log in to continue",
        "please log in", "please sign in", "login required", "you are now in line", "you are in line", "waiting room",
        "queue it", "vercel security checkpoint", "making sure you're not a bot", "client challenge",
        "enable javascript", "javascript is disabled", "javascript is required", "select your country",
        "choose your country", "select your region", "choose your region", "not available in your country",
        "not available in your region", "not available in your location", "unavailable in your region",
        "bevor sie fortfahren", "nur einen moment", "altersprüfung", "sind sie über 18", "bitte anmelden",
        "wählen sie ihr land", "avant de continuer", "avant d'accéder", "un instant", "veuillez vous connecter",
        "vérification de l'âge", "antes de continuar", "un momento", "verificación de edad", "prima di continuare",
        "um momento", "voordat je verdergaat", "een ogenblik geduld",
    ]

    /// A shop that is closed, moved or not open yet, whatever it has: in a title or a heading, or on a page of few words.
    static let closedShops = [
        "down for maintenance", "under maintenance", "closed for maintenance", "scheduled maintenance", "be right back",
        "shop is currently unavailable", "store is currently unavailable",
        "site is currently unavailable",
        "website is currently unavailable", "opening soon", "enter using password",
        "service unavailable", "something went wrong", "find the page you", "page you were looking for",
        "page you requested", "temporarily closed", "domain is for sale", "buy this domain", "wartungsarbeiten",
        "wartungsmodus", "en maintenance", "en mantenimiento", "in manutenzione", "em manutenção", "in onderhoud",
        "przerwa techniczna", "メンテナンス中",
    ]

    /// Headings above items that the page is not about.
    static let relatedHeadings = [
        "you may also like", "you might also like", "you may like", "you'll also love", "related products",
        "related items", "related events", "similar items", "similar products", "similar events", "customers also",
        "people also", "also bought", "also viewed", "recently viewed", "recommended for you", "recommended products",
        "recommendations", "more from this", "other events", "more events", "upcoming events",
        "frequently bought together",
        "complete the look", "pairs well with", "das könnte ihnen auch gefallen", "das könnte dir auch gefallen",
        "ähnliche produkte", "ähnliche artikel", "kunden kauften auch", "zuletzt angesehen", "vous aimerez aussi",
        "vous pourriez aussi aimer", "produits similaires", "articles similaires", "también te puede gustar",
        "te puede interesar", "productos relacionados", "productos similares", "potrebbe piacerti anche",
        "ti potrebbe piacere", "prodotti correlati", "prodotti simili", "você também pode gostar",
        "produtos relacionados", "produtos semelhantes", "vind je misschien ook leuk", "gerelateerde producten",
        "może ci się spodobać", "podobne produkty", "du kanske också gillar", "関連商品", "おすすめ商品",
    ]

    /// Marks of such a wall anywhere in a page's markup, in small letters.
    static let wallMarks = [
        "validatecaptcha", "opfcaptcha", "make sure you're not a robot", "enable js and disable any ad blocker",
        "ips.js?kp_uidz", "cf-challenge", "cf_chl_", "px-captcha", "g-recaptcha-response", "h-captcha", "datadome",
        "_incapsula_resource",
        "awswafcookiedomainlist", "/captcha/", "geo.captcha-delivery.com", "bm-verify", "queue-it.net/",
    ]

    // MARK: As they are searched for

    static let soldOutPhrases = PhraseFinder(soldOut)
    static let closedPhrases = PhraseFinder(closedForGood)
    static let buyablePhrases = PhraseFinder(buyable)
    static let missingPhrases = PhraseFinder(missing)
    static let wallPhrases = PhraseFinder(walls)
    static let interstitialPhrases = PhraseFinder(interstitials)
    static let closedShopPhrases = PhraseFinder(closedShops)
    static let related = PhraseFinder(relatedHeadings)
    static let wallMarkFinder = PhraseFinder(wallMarks, areWords: false)
}
