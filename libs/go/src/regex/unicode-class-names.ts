/**
 * General categories of Unicode, and the sets that Go adds to them. In Go's normalized form, the first letter of a name is upper case and
 * the rest is lower case.
 */
const CATEGORIES =
  'Any Ascii Assigned C Cc Cf Cn Co Cs L Lc Ll Lm Lo Lt Lu M Mc Me Mn N Nd Nl No P Pc Pd Pe Pf Pi Po Ps S Sc Sk Sm So Z Zl Zp Zs';

/**
 * Scripts of Unicode 15.0 whose names have one word. Go never finds a script with a longer name, because it removes underscores from the
 * requested name.
 */
const SCRIPTS =
  'Adlam Ahom Arabic Armenian Avestan Balinese Bamum Batak Bengali Bhaiksuki Bopomofo Brahmi Braille Buginese Buhid Carian Chakma Cham Cherokee ' +
  'Chorasmian Common Coptic Cuneiform Cypriot Cyrillic Deseret Devanagari Dogra Duployan Elbasan Elymaic Ethiopic Georgian Glagolitic Gothic ' +
  'Grantha Greek Gujarati Gurmukhi Han Hangul Hanunoo Hatran Hebrew Hiragana Inherited Javanese Kaithi Kannada Katakana Kawi Kharoshthi Khmer ' +
  'Khojki Khudawadi Lao Latin Lepcha Limbu Lisu Lycian Lydian Mahajani Makasar Malayalam Mandaic Manichaean Marchen Medefaidrin Miao Modi ' +
  'Mongolian Mro Multani Myanmar Nabataean Nandinagari Newa Nko Nushu Ogham Oriya Osage Osmanya Palmyrene Phoenician Rejang Runic Samaritan ' +
  'Saurashtra Sharada Shavian Siddham Sinhala Sogdian Soyombo Sundanese Syriac Tagalog Tagbanwa Takri Tamil Tangsa Tangut Telugu Thaana Thai ' +
  'Tibetan Tifinagh Tirhuta Toto Ugaritic Vai Vithkuqi Wancho Yezidi Yi';

/** Long names of categories in Go's normalized form, with their short names. */
const ALIASES: Readonly<Record<string, string>> = {
  Casedletter: 'Lc',
  Closepunctuation: 'Pe',
  Cntrl: 'Cc',
  Combiningmark: 'M',
  Connectorpunctuation: 'Pc',
  Control: 'Cc',
  Currencysymbol: 'Sc',
  Dashpunctuation: 'Pd',
  Decimalnumber: 'Nd',
  Digit: 'Nd',
  Enclosingmark: 'Me',
  Finalpunctuation: 'Pf',
  Format: 'Cf',
  Initialpunctuation: 'Pi',
  Letter: 'L',
  Letternumber: 'Nl',
  Lineseparator: 'Zl',
  Lowercaseletter: 'Ll',
  Mark: 'M',
  Mathsymbol: 'Sm',
  Modifierletter: 'Lm',
  Modifiersymbol: 'Sk',
  Nonspacingmark: 'Mn',
  Number: 'N',
  Openpunctuation: 'Ps',
  Other: 'C',
  Otherletter: 'Lo',
  Othernumber: 'No',
  Otherpunctuation: 'Po',
  Othersymbol: 'So',
  Paragraphseparator: 'Zp',
  Privateuse: 'Co',
  Punct: 'P',
  Punctuation: 'P',
  Separator: 'Z',
  Spaceseparator: 'Zs',
  Spacingmark: 'Mc',
  Surrogate: 'Cs',
  Symbol: 'S',
  Titlecaseletter: 'Lt',
  Unassigned: 'Cn',
  Uppercaseletter: 'Lu',
};

const NAMES: ReadonlyMap<string, string> = new Map([
  ...`${CATEGORIES} ${SCRIPTS}`.split(' ').map((name) => [name, name] as const),
  ...Object.entries(ALIASES),
]);

/**
 * Returns the class that Go finds for a name in `\p{name}`, in the spelling of re2js. Returns undefined if Go finds no class. The look-up
 * ignores case, spaces, underscores and hyphens. Source: Go 1.26 regexp/syntax/parse.go `canonicalName`, `unicodeTable`, and
 * unicode/tables.go (Unicode 15.0).
 */
export function unicodeClass(name: string): string | undefined {
  const letters = name.replace(/[ _-]/g, '');
  return NAMES.get(letters.slice(0, 1).toUpperCase() + letters.slice(1).replace(/[A-Z]/g, (letter) => letter.toLowerCase()));
}
