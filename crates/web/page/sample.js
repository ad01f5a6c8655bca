// A game between engines, number 79 of data/games_engine.tsv.zst, so that the analysis opens with something to see.

export const SAMPLE_MOVES = [
  "7g7f 3c3d 7f7e 5c5d 6g6f 3a4b 2h7h 4b5c 5i4h 6a6b 8i7g 5c6d 7g6e 5a4b 7i6h 8c8d 1g1f 8d8e 7e7d 7c7d",
  "7h7d P*7c 7d7g 8e8f 8g8f 8b8f 6i7h 2b6f 7g8g 8f8g+ 7h8g R*7h P*6i 6f8h+ 8g8h 7h8h+ B*6f 8h8e 6f1a+",
  "G*3a L*2b B*3c R*1b 3a3b P*7b 7a7b 2b2a+ 3c1a 1b1a+ B*4d B*2f 4d2f 2g2f B*4d 1a1c 8e6e P*8b N*7f",
  "6h5i 6e6i 8b8a+ 7f6h+ 8a7a 4d9i+ 7a7b 6b7b N*4e 9i4d N*3c 4d4e 3c4a+ 4b4a 2a2b 6h5i 2b3b 4a5b 3b4b",
  "5b5c 4i5i N*5f 5g5f 6i5i 4h5i L*5g 5i6h 4e5f 4b4c 5c4c 1c2c N*3c R*4a P*4b B*2a 4c4d 4a4b+ 4d5e G*4f",
  "5e6e 4f5f 6e7e B*6f 7e8f N*7h 8f9g S*8h 9g9h G*9i",
].join(" ").split(" ");

/** Centipawns for black before each move from number 12 on; ±30000 is a mate. */
export const SAMPLE_FIRST_VALUE = 11;
export const SAMPLE_VALUES = [
  -302, -191, -151, -253, -295, -425, -576, -501, -482, -402, -382, -375, -416, -333, -410, -440,
  -426, -507, -576, -661, -994, -525, -540, -487, -495, -456, -334, -395, -463, -471, -346, 10,
  -156, -246, -595, -348, -394, -395, -463, -458, -551, -576, -466, -423, -450, -446, -537, -553,
  -640, -611, -607, -433, -424, -435, -411, -486, -497, -390, -317, -150, -198, -113, 18, 302,
  321, 372, 438, 875, 1022, 1178, 1191, 1407, 1475, 1315, 1407, 1581, 1557, 1408, 2834, 2384,
  4140, 4083, 3923, 4712, 4625, 5174, 5864, 5846, 5801, 30000, 30000, 30000, 30000, 30000, 30000,
  30000,
];
