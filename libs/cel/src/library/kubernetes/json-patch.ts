import { STRING } from '../../values/types/type.ts';
import { spendIn } from '../../values/evaluation-context.ts';
import { asciiTable, rewriteAscii } from '../../values/text.ts';
import { withContext } from '../define.ts';
import type { FunctionDeclaration } from '../define.ts';
import { scanOf, scansFirst } from '../formulas.ts';
import { globalOverload, linear } from '../overload.ts';

const ESCAPES = asciiTable([
  ['~', '~0'],
  ['/', '~1'],
]);

/** Declarations of the functions that only mutating policies may call. Source: k8s.io/apiserver/pkg/cel/library/jsonpatch.go (1.37). */
export const JSON_PATCH_FUNCTIONS: readonly FunctionDeclaration[] = [
  {
    name: 'jsonpatch.escapeKey',
    library: 'kubernetes.jsonpatch',
    doc: 'A key as a part of the path of a JSON patch: `~` becomes `~0`, `/` becomes `~1`. For mutating policies.',
    examples: [["jsonpatch.escapeKey('k8s.io/my~label')", "'k8s.io~1my~0label'"]],
    measure: scansFirst,
    overloads: [
      globalOverload('string_jsonpatch_escapeKey_string', [STRING], STRING, {
        estimate: scanOf(0, { keepsSize: true }),
        measure: scansFirst,
        growth: linear('k8s.io/apiserver/pkg/cel/library/jsonpatch.go `escapeKey` (1.37)'),
        call: withContext((context, key) => rewriteAscii(key as string, ESCAPES, spendIn(context))),
      }),
    ],
  },
];
