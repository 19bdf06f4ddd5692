"""Positions with a name: one line of notation each, and what each is good for."""

NAMED = {
    # The rule book's set-up on both printed boards.
    "start-2006": "first-2006 1 seen holmes:g5,watson:a3>NE,smith:g8,lestrade:e5,stealthy:i4,goodley:m10,gull:e9,bert:i8 "
    "b2:1,c7:3,f5:*,h8:*,k6:4,l11:2 c2,l12 NE,SW ?/?",
    "start-2016": "revised-2016 1 seen holmes:g5,watson:i4>NE,smith:g8,lestrade:e5,stealthy:a3,goodley:m10,gull:e9,bert:i8 "
    "b2:1,c7:3,f5:*,h8:*,k6:4,l11:2 b1,l12 NE,SW ?/?",
    # A dark turn 2: Jack was not seen, an exit is near for some, cards known, Jack to pick.
    "ready-to-leave": "first-2006 2 unseen holmes:b3,watson:e8>S,smith:k7,lestrade:c3,stealthy:i4,goodley:m10,gull:e9~,bert:i8 "
    "c7:3,f5:*,h8:*,k6:4,l11:2 c2,l12 NE,SW lestrade,stealthy,gull,bert/-",
    # Everybody in the middle, detective to pick: accusations everywhere, whistles crowded.
    "crowded-centre": "first-2006 3 seen holmes:g5,watson:g6>N,smith:g7,lestrade:f7,stealthy:g8,goodley:e6,gull:e5~,bert:h6 "
    "c7:3,f5:*,f9:*,k6:4 a5,m9 NW,SE holmes,watson,goodley,bert/-",
    # Late, only blank lamps, most people cleared, both far corners taken; Jack's second pick.
    "late-and-dark": "revised-2016 7 unseen holmes:b1~,watson:m12>SW,smith:l7~,lestrade:a1~,stealthy:h10,goodley:c4~,gull:k9,"
    "bert:g6~ f9:*,h4:* b6,k9 NW,SE smith,stealthy,goodley/watson",
    # Nobody can come nearer than one or two steps: the whistle cannot use three points.
    "huddle": "first-2006 5 seen holmes:a1,watson:a2>N,smith:b1,lestrade:c2,stealthy:a3,goodley:b3,gull:c3,bert:a4 "
    "f5:*,h8:* f7,l12 NE,NW ?/?",
}
