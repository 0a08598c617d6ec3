import { z } from 'zod';
import { MINORS } from '#kube';

const units = z.string().describe('Cost units, a uint64 as decimal text');
const share = z.number().describe('Cost ÷ limit; above 1 the server refuses the definition');

const verdictCause = z
  .object({
    name: z.string().describe('Name of the difference, or of a function that only one version has'),
    sentence: z.string().describe('What changed. May contain Markdown code marks'),
    upstream: z.string().optional().describe('The change of the upstream code, such as cel-go#1350'),
  })
  .meta({
    id: 'VerdictCause',
    description:
      'Difference between two Kubernetes versions that causes their different verdicts on a definition, or their different texts',
  });

const concernedRule = z
  .object({
    rule: z.string().describe('Text of the rule, or of its messageExpression'),
    isMessage: z.boolean().describe('True for a messageExpression'),
    places: z
      .array(z.object({ version: z.string(), path: z.string().describe('Path relative to openAPIV3Schema') }))
      .describe('Rules of the definition with this text and these costs'),
    cost: z.object({ from: units, to: units }).optional().describe('Absent if only one version compiles the rule'),
    share: z.object({ from: share, to: share }).optional(),
  })
  .meta({
    id: 'ConcernedRule',
    description: 'Rule, or several rules with the same text and costs, because of which two Kubernetes versions have different verdicts',
  });

/** Schema of {@link VerdictCauses}. */
export const verdictCausesSchema = z
  .object({
    from: z.enum(MINORS),
    to: z.enum(MINORS),
    about: z
      .enum(['verdict', 'texts'])
      .describe('`verdict` if only one version accepts the definition, `texts` if only errors or warnings differ'),
    causes: z
      .array(verdictCause)
      .describe('Causes that explain the difference together. Empty if no cause is known, or if costs have more than three'),
    hasSeveral: z.boolean().describe('True if costs are a reason, but more than three differences are necessary to explain them'),
    rules: z.array(concernedRule).describe('Rules because of which the verdicts differ, the largest change of the cost first'),
    sums: z
      .array(z.object({ version: z.string(), share: z.object({ from: share, to: share }) }))
      .describe('Cost of all rules of a version of the definition as a share of their limit. Empty if no sum exceeds its limit'),
  })
  .meta({
    id: 'VerdictCauses',
    description: 'Why two Kubernetes versions have different verdicts on the write of a definition, or report different errors or warnings',
  });
