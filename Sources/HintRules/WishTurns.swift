/// Ways to say that somebody wants something, whoever it is: the person before the turn is the one who wants.
enum WishTurns {
    /// Verbs and what stands for them; the wanter stands before.
    static let verbs = MarkList(
        """
        heart|hearts set? on; set $its heart|sights on; eye|eyes|sights set? on; eyes glued? to
        over the moon with|about; do with $a|some; <could|can use $a|some; mad keen on|for; keen on
        <keep|keeps|kept|caught|been|always looking|staring|gazing|peeking at; dead set on
        <is|was|are|she|he|they|i|dead|really set on $a|getting|learning|having
        <is|was|are|she|he|they|i|really|still|been|always after $a; dream|dreams|dreaming|dreamed|dreamt of|about
        fancied; fancying; <not mind $a; <not say no to; <not turn down; <not refuse $a; market for
        asked santa|father for; asked * for; ask * for; looking|searching|hunting|scouring for; hunt for; lookout for
        do|give anything|whatever for|to; chuffed|thrilled|delighted|tickled|overjoyed with|to|by; lusting|lusts after
        hanging|holding out for; jealous|envious of; dropping hints|anvils|bricks
        <could|would|really go for $a; could happily|easily|really use|do; sending|sends|sent * links to|of|for
        <he|she|they|i will get a|one; <i|he|she|they swap * for; amiss
        <would trade|swap|sell|pawn|exchange * for; <could|would fair|proper|just|gladly go|do|use $a
        kill|murder for; dying for|to; hankering|hankers for|after; yearn|yearns|yearning for; longs|longing for|to
        <i|they long for; craves|craving|coveting|covets; hope|hopes|hoping|hoped for|someone|somebody|santa|to
        saves|saving|save up? for; itching|gagging|raring|gasping|pining for|to; desperate for|to
        crazy|nuts|potty|bonkers|wild about
        begged|begs|begging|pestering|pesters|nagging|nags|badgering|badgers|hassling|bugging * for
        begged|begs|begging * to; <would like $a|one|to|some; <would adore|appreciate|welcome $a|one|some
        <he|she|they|i like|love|adore a|an|one|some|to; <would love|adore to|a|an|one|some|that|this|it
        give $its left|right|eye|arm; give anything|everything|lots|loads|plenty * for|to; <i|he|she|they give for
        talking|raving|banging|harping|rabbiting|droning|wittering about; on|shut up? about; raves|raving|raved about
        hint|hints|hinting|hinted at|about|for|that; be|been|is|was angling for; if only
        """
    )

    /// Nouns and what stands for them; whose they are stands before.
    static let nouns = MarkList(
        """
        dream is|was|would|of|come|date|day; wish is|was|would; wish list; wishlist; own wish
        only|one|biggest|greatest|secret wish|dream; heart desire
        """
    )

    /// What the partner does before a thing that tempts them.
    static let temptations = MarkList(
        """
        put it|them|those|one * back; puts it|them * back; walked|wandered|went|goes|going|kept|keeps back to|for
        lingered|lingering|lingers over|at|by|near; stopped at|to|dead|before|by * look|shop|window|stall
        not take $its eyes off; stared|staring|stares|gazed|gazing|gazes at; tried it|them|one on; tried on
        last legs|page|pages|drop|drops|sheet|inch; ogling|ogled|eyed|drooling|drooled|drools; lit|lights|lighting up
        light up at|when; went|goes|got quiet|silent|misty; eyes wide|lit|huge; top of $its list
        <would be nice|lovely|brilliant|handy|ideal|heaven|perfect|fab|fun|cool|great|good|something; ever afford
        could afford; not stop * about; never been to; never got to; not get|got to; missed out on
        keeps|kept looking|stopping|going at|by|back|past; make|made $its day|year|week|month|life|christmas|birthday
        make|makes $them so? happy|smile; traces|strokes|stroking|caressed; sighs|sighed * at|past|every
        asked how much; asking how much; priced up|them|it; too dear|pricey; because of the price; not justify|afford
        <he|she|they|still|really misses|missed $its|that; homesick for; nobody|no one makes|make|made it|them|that
        not walk|go|get|drive past; never * set foot in|on; <she|he|they talks|talked about the|that|getting|having
        talks|talked about nothing; jealous|envious of; green with
        """
    )
}
