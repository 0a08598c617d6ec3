import { z } from 'zod';
import { NOTATIONS } from '../item/item.ts';

// The schema takes long to create, so this module is loaded only where policies are read (`scripts/bundle.mjs`).

/** One document in the text of an evaluation's policies. */
const document = z.object({ notation: z.enum(NOTATIONS), text: z.string() });

/** Text that contains an evaluation's policies. */
const policyText = z.object({
  policies: z.array(document),
  cluster: z.array(document),
  definitions: z.array(document),
});
export type PolicyText = z.infer<typeof policyText>;

/** Parses the text that contains an evaluation's policies. Throws an error if it is no such text. */
export const parsePolicyText = (bytes: Uint8Array): PolicyText => policyText.parse(JSON.parse(new TextDecoder().decode(bytes)));
