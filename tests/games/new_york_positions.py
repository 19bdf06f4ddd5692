"""Positions of New York with a name: one line of notation each, and what each is good for."""

NAMED = {
    # The set-up of the rule book.
    "start": "first-2009 1 seen beach:E10,cloud_rider:I8,latimer:E8,grant:J7,callahan:F9,eastman:H5,tumblety:H11,smith:J9 "
    "B9:subway,C10:lamp,K4:subway,L13:subway,M12:lamp E4+F3,K14+L15 E2,K16 LIBERTY:talkative ?/?",
    # Turn 4, unseen card, Jack to pick first; boats in open ports, parks, the informant in the street.
    "harbour-open": "first-2009 4 unseen beach:B11,cloud_rider:J13,latimer:C6,grant:K12,callahan:F13,eastman:L3,tumblety:M4,"
    "smith:G14 B9:park,C10:lamp,E6:building,H5:subway,J9:lamp,K4:subway,L13:subway,M12:park E12+E14,I4+J3 B13,L1 M6:talkative "
    "beach,latimer,tumblety,smith/-",
    # Eastman in the dark, several others too, one in a park beside a lamp; the informant is silent; detective to pick.
    "dark-crowd": "first-2009 5 seen beach:B9,cloud_rider:C12,latimer:LIBERTY,grant:F5~,callahan:G6,eastman:M16,tumblety:G4,"
    "smith:M14~ B9:park,C10:lamp,E10:building,F11:building,K4:subway,L13:park,M12:lamp G8+H9,K8+L7 B13,G16 H3:silent "
    "cloud_rider,callahan,eastman,tumblety/-",
    # Callahan is shut in at the north end by a barricade, which he may carry away; Smith stands on a pier.
    "shut-in": "first-2009 6 unseen beach:I2,cloud_rider:K2,latimer:M2,grant:E8,callahan:M16,eastman:H11,tumblety:H13,smith:G2 "
    "A10:park,B11:lamp,D13:building,D7:building,K4:subway,L13:subway,M12:lamp K4+L3,L15+M14 E2,K16 C12:talkative ?/?",
    # Nearly everything is built, no subway and no building is left in the supply; the informant was met in this turn.
    "late-city": "first-2009 8 unseen beach:A10,cloud_rider:F7,latimer:H3,grant:M6,callahan:K8,eastman:J7,tumblety:I6,smith:L9 "
    "B9:subway,C12:lamp,D15:subway,D5:subway,D7:building,E8:building,F3:park,F9:building,G6:building,H11:lamp,I12:subway,"
    "I2:subway,K2:lamp,L13:subway,L5:subway,M12:lamp,M4:lamp E12+F11,I4+J3 G16,L1 C8:silent ?/?",
}
