import TextEncoding

/// The words that every listing has and no thing is known by.
///
/// A sentence of these alone says as much as no sentence at all: "Comes well packed in a box and ships within three
/// days." Without that, leaving a description out, or filling one up, would move an offer.
enum ShopTalk {
    static let stems = StemSet(
        contentOf: TokenizedText(
            """
            add also always amazing arrive available awesome beautiful best box brand business buy buyer care choice come
            cost customer day deliver delivery describe description detail discount dispatch every everyday excellent
            exclusive fantastic fast fine first free friend friendly genuine get gift giving good great guarantee guaranteed
            happy high hour ideal include item just keep kind know limit list listing look lovely made make manufacturer
            many more most much must need neutral new next nice nicely note nothing offer order ordinary pack package
            packaging packed parcel pay payment perfect perfectly piece plain pleasant please popular post practical premium
            present price product promise purchase quality quick quickly range ready real really receive recipient refund
            return safe safely sale satisfaction satisfy say secure securely see sell seller send sent service ship shipment
            shipping shop shopping simple simply size something special speedy standard stock store sturdy style suitable
            super text thank thing time today top track tracked unique use useful usual usually value various very warranty
            way website week well wide within wonderful work world worldwide wrap wrapped wrapping year
            one two three four five six seven eight nine ten 1 2 3 4 5 6 7 8 9 10 24 48
            """
        )
    )
}
