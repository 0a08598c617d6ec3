import { LATEST_MINOR, MINORS } from '#kube';
// `zod/mini` is the small variant of zod. The page loads this module before it shows anything.
import { z } from 'zod/mini';
import { PANES } from './texts.ts';

/** Views on the right side of the page. */
const VIEWS = ['verdict', 'versions', 'cost', 'what-if', 'benchmark', 'examples', 'learn', 'server'] as const;

/** View that the page shows, from {@link VIEWS}. */
export type View = (typeof VIEWS)[number];

/** Highest length in characters of a text that a link or the browser's storage may contain. */
export const MAX_TEXT_LENGTH = 8 * 1024 * 1024;

const text = z._default(z.string().check(z.maxLength(MAX_TEXT_LENGTH)), '');

const chosenRule = z.strictObject({ definition: z.string(), version: z.string(), path: z.string() });

/** Identification of a rule: the name of its definition, the served version, and the path in the schema of this version. */
export type ChosenRule = z.infer<typeof chosenRule>;

/** Schema of the page's state. A link to the page contains this state, and the browser keeps it over a reload. */
export const pageState = z.strictObject({
  texts: z.strictObject(Object.fromEntries(PANES.map((pane) => [pane, text])) as Record<(typeof PANES)[number], typeof text>),
  minor: z._default(z.enum(MINORS), LATEST_MINOR),
  view: z._default(z.enum(VIEWS), 'verdict'),
  /** Number of the learning task that is shown, from 1. */
  task: z.optional(z.int().check(z.minimum(1), z.maximum(99))),
  /** Rule that the tab *Benchmark* studies, and the older definitions with which it is compared. */
  benchmark: z.optional(
    z.strictObject({ rule: z.optional(chosenRule), older: z.optional(z.string().check(z.maxLength(MAX_TEXT_LENGTH))) }),
  ),
});

/** State of the page that a link to the page contains: the texts, the Kubernetes minor version, the view, and what the view shows. */
export type PageState = z.infer<typeof pageState>;
