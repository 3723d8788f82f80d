/** Maximum lengths of typed text, in characters, for the rules and their messages. */
export const limits = {
  /** 姓, 名 and their kana. */
  name: 20,
  password: { min: 10, max: 128 },
  guardianName: 40,
  passkeyName: 30,
  schoolName: 50,
  /** One line of an address. */
  addressLine: 100,
  /** A written answer. */
  answer: 200,
  /** The addressee of a receipt. */
  addressee: 60,
  couponCode: 32,
  contactName: 50,
  contactText: { min: 10, max: 2000 },
  /** A question to a teacher. */
  questionText: { min: 10, max: 2000 },
} as const;
