import { markup } from './markup.ts';
import type { Markup } from './markup.ts';

/** Markup for each result of checking a claim: a symbol and words, for a page with `PAGE_STYLE`. */
export const VERDICTS: Readonly<Record<'holds' | 'fails' | 'in part' | 'undecided' | 'not measured', Markup>> = {
  holds: markup`<span class="verdict holds">✓ holds</span>`,
  fails: markup`<span class="verdict fails">✗ fails</span>`,
  'in part': markup`<span class="verdict part">◐ in part</span>`,
  undecided: markup`<span class="verdict undecided">? undecided</span>`,
  'not measured': markup`<span class="verdict undecided">– not measured</span>`,
};
