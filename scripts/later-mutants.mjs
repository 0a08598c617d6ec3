// More mutants of `npm run mutate`, in the form of `mutants.mjs`: of admission, structural schemas, rules, and the life of an evaluation.

const GOLDEN = 'conformance/test/golden.spec.ts';
const crd = 'libs/crd/src';
const DEFINITIONS = [`${crd}/definition`, `${crd}/structural`, `${crd}/schema`, GOLDEN];
const OBJECTS = [`${crd}/object`, `${crd}/rules`, GOLDEN];

/** @type {(id: string, file: string, find: string, replace: string, breaks: string, specs: readonly string[]) => import('./mutants.mjs').Mutant} */
const mutant = (id, file, find, replace, breaks, specs) => ({ id, file, find, replace, breaks, specs });

/** @type {readonly import('./mutants.mjs').Mutant[]} */
export const LATER_MUTANTS = [
  mutant(
    'selectable-surplus',
    `${crd}/definition/admission/options.ts`,
    'hasSurplus(earlier) &&',
    'false &&',
    'a surplus of selectable fields stays',
    DEFINITIONS,
  ),
  mutant(
    'approval',
    `${crd}/definition/admission/api-approval.ts`,
    "state === 'approved' || ",
    '',
    'groups of the community need an approval',
    DEFINITIONS,
  ),
  mutant(
    'immutable-kind',
    `${crd}/definition/admission/validate-definition.ts`,
    'compare(definition.spec.names.kind',
    "compare('', ''), void (definition.spec.names.kind",
    'the kind of an established definition',
    DEFINITIONS,
  ),
  mutant(
    'deprecation',
    `${crd}/definition/admission/validate-version.ts`,
    'WARNING_LENGTH = 256',
    'WARNING_LENGTH = 257',
    'the longest deprecation warning',
    DEFINITIONS,
  ),
  mutant(
    'port',
    `${crd}/definition/admission/validate-conversion.ts`,
    'service.port > 65535',
    'service.port > 65536',
    'ports of services',
    DEFINITIONS,
  ),
  mutant(
    'uncorrelatable',
    `${crd}/definition/admission/nodes/schema-node.ts`,
    "listType === 'map' ? around",
    "listType !== 'set' ? around",
    'rules about changes stand where old values are found',
    DEFINITIONS,
  ),
  mutant(
    'unpruned-default',
    `${crd}/definition/admission/validate-defaults.ts`,
    'if (this.options.requirePrunedDefaults) {',
    'if (false) {',
    'defaults have no unknown fields',
    DEFINITIONS,
  ),
  mutant(
    'complete',
    `${crd}/structural/completeness.ts`,
    'else this.missing(at, path)',
    'else void at',
    'what a junctor names is declared',
    DEFINITIONS,
  ),
  mutant(
    'reason',
    `${crd}/rules/error-for-reason.ts`,
    'return forbidden(path, detail)',
    'return invalid(path, value, detail)',
    'the reason of a rule',
    OBJECTS,
  ),
  mutant(
    'blocking',
    `${crd}/object/write/validate-resource.ts`,
    'FieldValueTypeInvalid',
    'FieldValueTypeUnknown',
    'rules wait for values of the right type',
    OBJECTS,
  ),
  mutant(
    'life-superseded',
    'libs/queue/src/life/evaluation-life.ts',
    "when('superseded', to(state, 'commit', 'gone')),",
    '',
    'a superseded lease may not commit',
    ['libs/queue/src/life', 'libs/queue/src/embedded'],
  ),
  mutant(
    'late-lease',
    'libs/service/src/dispatch/chunk-consumer.ts',
    'if (held[i] === false)',
    'if (false)',
    'work whose lease is lost is stopped',
    ['libs/service/src/dispatch'],
  ),
  mutant(
    'own-revision',
    `${crd}/object/write/stored-object.ts`,
    'if (claimsRevision(own)) return own;',
    '',
    'a stored object has a revision of its own',
    OBJECTS,
  ),
  mutant(
    'next-change',
    `${crd}/next-change/next-change.ts`,
    'if (!refused.has(findingKey(finding))) continue;',
    '',
    'an edit that is refused for a reason of its own says nothing',
    ['libs/runner/src/thread'],
  ),
  mutant('kept-item', `${crd}/next-change/edits-beside.ts`, 'isKey(list, name)', 'false', 'another key is another item', [
    'libs/runner/src/thread',
  ]),
  mutant(
    'empty-structs',
    'libs/builtin/src/table/read-table.ts',
    "type.kind === 'struct' || type.kind === 'own'",
    "type.kind === 'own'",
    'structs that are no pointers are there though nobody wrote them',
    ['libs/builtin'],
  ),
  mutant(
    'embedded-names',
    'libs/builtin/src/typed/reading-errors.ts',
    'if (this.namesEmbedded) this.names.push(...field.embeddedIn);',
    '',
    'decode errors name embedded structs',
    ['libs/builtin'],
  ),
  mutant(
    'own-errors-first',
    'libs/builtin/src/typed/own-types.ts',
    'if (!result.ok) throw new OwnDecoderError(result.error);\n  return result.kept',
    "if (!result.ok) return '0';\n  return result.kept",
    'a quantity that is none ends the reading',
    ['libs/builtin'],
  ),
  mutant(
    'kept-quantities',
    'libs/builtin/src/typed/own-types.ts',
    'result.kept ?? formatQuantity(result.quantity)',
    'formatQuantity(result.quantity)',
    'a quantity that Go takes for canonical stays as it was written',
    ['libs/builtin'],
  ),
  mutant(
    'template-defaults',
    'libs/builtin/src/defaults/set-defaults.ts',
    "['core/v1.Pod', podDefaults],",
    "['core/v1.PodSpec', (spec, minor) => podDefaults({ spec }, minor)],",
    'templates do not get what only pods get',
    ['libs/builtin'],
  ),
  mutant(
    'typed-quantities',
    'libs/cel/src/values/typed-equality.ts',
    "type.name === 'Quantity'",
    'false',
    'structs compare quantities by value',
    ['libs/cel/src/values'],
  ),
  mutant('typed-nothing', 'libs/cel/src/library/optionals.ts', ' && !isTyped(value)', '', 'no typed value counts as zero', [
    'libs/cel/src/values',
  ]),
];
