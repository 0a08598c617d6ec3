/** Highest number of words in a sentence. */
const MAX_WORDS = 25;
/** Lowest number of relative words for which a sentence is flagged. Relative words are `that`, `which` and the like. */
const RELATIVES = 4;
const BE_OR_DO =
  'is|are|was|were|has|have|can|may|must|does|do|gets?|goes|comes?|stays?|takes?|ends?|runs?|waits?|lies|stands|asks?|tells?|says|needs?|makes?|means?|costs?|decides?|begins?|belongs?';

/** Rules for sentences that are hard to read. Each rule returns true if it applies to a sentence. */
const RULES = {
  // A sentence that ends with a question mark is a plain question.
  'a clause is the subject': ({ text }) =>
    !text.endsWith('?') &&
    new RegExp(`^(?:What|Whoever|Who|Whose|Which|Where|Whether|How)\\b[^,.;:?]{2,90}?\\s(?:${BE_OR_DO})\\b`).test(text),
  'a comment begins with a clause or preposition': ({ kind, isFirst, text }) =>
    (kind === 'docComments' || kind === 'inlineComments') &&
    isFirst &&
    /^(?:What|Whoever|Who|Whose|Which|Where|Whether|How|Of|As|So|By)\b/.test(text),
  'the object comes first': ({ text }) =>
    /^(?:Of|To|By|With|From|Behind|Beside) [^,.]{2,60}? (?:is|are|goes|go|stands?|lies?|comes?|travels?|hangs?|has|have|waits?)\b/.test(
      text,
    ),
  'a pointing word': ({ text }) => /\b(?:those|that|one) (?:that|which|who|of (?:its|their|the|those)|whose)\b/.test(text),
  'a reference back': ({ text }) =>
    /\b(?:the same of|as (?:it|they) (?:was|is|are|were)|what it (?:is|was)|nothing of|none of (?:that|which|them))\b/.test(text),
  'a verb of standing or lying': ({ text }) =>
    /\b(?:stands?|lies?) (?:in|below|beside|behind|among|there|where|for)\b|\bis let\b|\btells? of\b|\bdid cost\b|\bis had\b|\btold (?:of|at)\b/.test(
      text,
    ),
  'many relative clauses': ({ text }) => (text.match(/\b(?:that|which|who|whose|where|what)\b/gi) ?? []).length >= RELATIVES,
  'too many words': ({ text }) => text.split(' ').length > MAX_WORDS,
};

/** Returns the names of the rules that a sentence breaks. */
export function flagsOf(sentence) {
  return Object.keys(RULES).filter((name) => RULES[name](sentence));
}
