// The kept mutants of `npm run tool -- mutate --kept`: each is one deliberate fault, with the specs that must notice it in a clone without
// `../shared`. An anchor (the text to replace) occurs exactly once in its file. Keep the anchor short, and make it show the fact that is
// broken.
//
// A mutant is kept here if its fault is silent and costly: other cost units, another verdict, lost or duplicate data, or a security hole.
// Stryker makes the mutants of all other code. It changes no numbers and no texts of generated code, and many of these faults are such
// changes. One mutant for each fact is enough: a second one in the same function, for the same specs, proves nothing new.

/** @typedef {{file: string, find: string, replace: string, breaks: string, specs: readonly string[]}} Mutant */
/** @typedef {readonly [file: string, find: string, replace: string, breaks: string]} Fault */

const GOLDEN = 'conformance/test/golden.spec.ts';
const cel = 'libs/cel/src';
const crd = 'libs/crd/src';
const reader = `${crd}/object/schema-reader`;
const PRICES_SPECS = [`${cel}/library`, `${cel}/prices`, `${cel}/engines/interpret`, GOLDEN];
const ENGINES_SPECS = [`${cel}/engines`, GOLDEN];
const GENERATED_CODE_SPECS = [`${cel}/library/code`, `${cel}/engines/codegen`, GOLDEN];
const LANGUAGE_SPECS = [`${cel}/language`, `${cel}/minors.spec.ts`, GOLDEN];
const OBJECTS_SPECS = [`${crd}/object`, `${crd}/rules`, GOLDEN];
const DEFINITIONS_SPECS = [`${crd}/definition`, `${crd}/structural`, `${crd}/schema`, GOLDEN];
const READER_SPECS = [reader, `${crd}/keywords/without-fast-paths.spec.ts`, 'conformance/test/readings.spec.ts'];
const HTTP_SPECS = ['apps/api/test/http.spec.ts'];
const IDENTITY_SPECS = ['apps/api/test/identity.spec.ts', 'apps/api/test/access.spec.ts'];
const REDIS_SPECS = ['libs/jobs/test/life-walk.spec.ts', 'libs/jobs/src/bullmq/redis-queue.spec.ts'];

/**
 * Returns the mutants of the files of a folder that the same specs have to notice.
 * @type {(folder: string, specs: readonly string[], faults: readonly Fault[]) => readonly Mutant[]}
 */
const inFolder = (folder, specs, faults) =>
  faults.map(([file, find, replace, breaks]) => ({ file: `${folder}/${file}`, find, replace, breaks, specs }));

/** @type {readonly Mutant[]} */
export const MUTANTS = [
  // Cost units: the cost of a rule, and the point where a limit or a budget stops it.
  ...inFolder(`${cel}/library`, PRICES_SPECS, [
    ['formulas.ts', 'STRING_TRAVERSAL = 0.1', 'STRING_TRAVERSAL = 0.11', 'the factor of traversing a string'],
    ['price.ts', 'Math.ceil(units(args, costs) * factor)', 'Math.floor(units(args, costs) * factor)', 'measured prices are rounded up'],
    ['price.ts', 'left < right ? left : right', 'left', 'the shorter one is estimated'],
    ['standard/logic.ts', 'unionRanges(costOf(call, 1), costOf(call, 2))', 'costOf(call, 1)', 'the dearer branch is estimated'],
  ]),
  ...inFolder(cel, ENGINES_SPECS, [
    ['library/step-prices.ts', 'STEP = 1', 'STEP = 2', 'what a step costs'],
    ['library/step-prices.ts', 'CHAIN = 1', 'CHAIN = 2', 'what reading a variable costs'],
    ['engines/interpret/attribute.ts', 'frame.refund(this.id)', 'frame.charge(0, this.id)', 'presence of a choice takes a unit back'],
    [
      'engines/codegen/compiled-program.ts',
      'this.current.cost > limits.costLimit',
      'this.current.cost > limits.costLimit + 5',
      'generated code stops at the limit',
    ],
    ['engines/interpret/node.ts', 'this.cost > this.#limit', 'this.cost >= this.#limit', 'the interpreter stops above the limit'],
  ]),
  ...inFolder(cel, GENERATED_CODE_SPECS, [
    ['library/code/units.ts', 'text.length === 0 ? 0 : 1', '1', 'an empty text is free in generated code'],
    [
      'engines/codegen/list-folds.ts',
      'append: CHAIN + LIST_CREATION + UNSTATED_CALL',
      'append: CHAIN + LIST_CREATION',
      'appending in generated code',
    ],
    [
      'engines/codegen/calls.ts',
      'emitLoneOperand(g, nodes, UNSTATED_CALL, emit)',
      'emitLoneOperand(g, nodes, 0, emit)',
      'a call with a failing operand is paid',
    ],
  ]),
  ...inFolder(
    `${cel}/engines/codegen`,
    [`${cel}/engines/codegen`],
    [['loop.ts', 'cost > limit || ', '', 'loops in generated code look at the limit']],
  ),
  ...inFolder(
    `${cel}/values`,
    [`${cel}/engines/codegen/cancelled.spec.ts`],
    [['evaluation-context.ts', '% STEPS_PER_POLL === 0 &&', '% STEPS_PER_POLL === 1_000_000 &&', 'walks look at the cancellation token']],
  ),
  ...inFolder(`${cel}/differences`, LANGUAGE_SPECS, [
    [
      'prices.ts',
      'affixTestTraversesArgument: {\n    since: 37',
      'affixTestTraversesArgument: {\n    since: 36',
      'since when affix tests cost by the argument',
    ],
  ]),
  ...inFolder(`${crd}/rules`, OBJECTS_SPECS, [
    ['node-evaluation.ts', 'if (result.cost > this.#remaining) ', 'if (result.cost > this.#remaining + 1) ', "an object's budget"],
    ['node-evaluation.ts', 'if (cost > this.#remaining) {', 'if (false) {', 'messages are paid from the budget'],
  ]),
  ...inFolder(
    'libs/service/src/jobs',
    ['libs/service/src/jobs'],
    [['job-evaluation.ts', 'perEvaluation - job.celSpent', 'perEvaluation', "an evaluation's budget is spent once"]],
  ),
  ...inFolder(reader, READER_SPECS, [
    ['emit-rules.ts', 'sum += cost;', 'sum += 1;', 'rules are paid'],
    ['emit-object.ts', 'run.cost += known;', '', 'rules of defaults are paid wherever these are inserted'],
    ['accepted-text-cache.ts', 'run.cost += cost;', '', 'rules of a known text are paid'],
    ['emit-rules.ts', '    run.cost += code.run.cost;\n', '', 'rules over columns cost what they cost'],
    ['schema-reader.ts', 'run.cost >= run.budget', 'run.cost > run.budget + 1', 'at its last unit a budget is for the exact code'],
    ['emit-rules.ts', '!(cost <= limit)', 'cost === undefined', 'a rule meets the limit of a call'],
  ]),
  // Verdicts: each response of the API server, on each code path.
  ...inFolder(
    `${cel}/values`,
    [`${cel}/values`, GOLDEN],
    [
      [
        'equality.ts',
        'if (context.semantics.nullFieldsDiffer) return false',
        'if (context.semantics.nullFieldsDiffer) continue',
        'null fields made objects unequal before 1.34',
      ],
    ],
  ),
  ...inFolder(`${cel}/library/code`, GENERATED_CODE_SPECS, [
    ['arithmetic.ts', '!Number.isSafeInteger(${result.code})', 'false', 'sums beyond safe integers are left to the interpreter'],
    [
      'arithmetic.ts',
      'site.constants.name(DIVISION_BY_ZERO), js`${b} === 0`',
      'site.constants.name(DIVISION_BY_ZERO), js`${b} === 1`',
      'division by zero in generated code',
    ],
  ]),
  ...inFolder(cel, LANGUAGE_SPECS, [
    [
      'differences/values.ts',
      'duplicatesCount: {\n    since: 37',
      'duplicatesCount: {\n    since: 36',
      'since when duplicates of sets count',
    ],
    ['minors.ts', 'number - 1 : number', 'number : number', 'new expressions lag one minor behind'],
  ]),
  ...inFolder(
    `${cel}/values`,
    [`${cel}/values`],
    [['typed-view.ts', "type.name === 'Quantity'", 'false', 'structs compare quantities by value']],
  ),
  ...inFolder(crd, OBJECTS_SPECS, [
    ['rules/node-evaluation.ts', '!rule.usesOldSelf && at.unchanged', 'at.unchanged', 'transition rules do not ratchet'],
    ['rules/rule-cursor.ts', 'this.#outer?.unchanged ?? false', 'false', 'what stands in an unchanged parent ratchets'],
    ['object/correlate.ts', ' && !map.has(key)', '', 'the first of several items with one key counts'],
    [
      'object/correlate.ts',
      'this.field(key)?.unchanged === true',
      'this.field(key)?.unchanged !== false',
      'an undeclared field counts as changed',
    ],
    ['object/write/list-types.ts', "schema.listType === 'map'", "schema.listType === 'maps'", 'keys of map lists are unique'],
    [
      'object/write/validate-resource.ts',
      'validateListTypes(old, structural, polls).length === 0',
      'true',
      'old duplicates excuse new ones',
    ],
    ['object/write/validate-resource.ts', 'FieldValueTypeInvalid', 'FieldValueTypeUnknown', 'rules wait for values of the right type'],
    ['keywords/objects.ts', 'if (value[key] !== undefined) continue', 'continue', 'required'],
    ['keywords/texts.ts', 'value.length <= limit ||', 'value.length <= Number(limit) + 1 ||', 'maxLength'],
  ]),
  ...inFolder(crd, DEFINITIONS_SPECS, [
    ['definition/admission/nodes/check-nodes.ts', "items.mapType !== 'atomic'", 'false', 'items of sets are atomic'],
    ['structural/validate-structural.ts', "s.type === '' && !s.intOrString", 'false && !s.intOrString', 'every node has a type'],
    [
      'definition/admission/validate-definition.ts',
      'compare(definition.spec.names.kind',
      "compare('', ''), void (definition.spec.names.kind",
      'the kind of an established definition',
    ],
    [
      'definition/admission/nodes/schema-node.ts',
      "listType === 'map' ? around",
      "listType !== 'set' ? around",
      'rules about changes stand where old values are found',
    ],
    [
      'definition/admission/validate-defaults.ts',
      'if (this.#options.requirePrunedDefaults) {',
      'if (false) {',
      'defaults have no unknown fields',
    ],
  ]),
  ...inFolder(
    'libs/go/src/regex',
    ['libs/go/src/regex'],
    [['lazy-automaton.ts', 'open.push(arg, out)', 'open.push(out, arg)', 'the first way of several is preferred']],
  ),
  ...inFolder(crd, READER_SPECS, [
    [
      'object/schema-reader/emit-object.ts',
      'bits.require(names.filter((name) => bits.has(name)))',
      'bits.require([])',
      'required fields have to be there',
    ],
    ['object/schema-reader/field-bits.ts', 'return js`${nulls} |= ${bit};`;', 'return js``;', 'a required field is not null'],
    [
      'object/schema-reader/field-bits.ts',
      '!== 0) return undefined; ${variable}',
      '=== 5) return undefined; ${variable}',
      'a declared key that comes twice is not ordinary',
    ],
    [
      'object/schema-reader/emit-value.ts',
      "structural.listType !== 'set' && structural.listType !== 'map'",
      "structural.listType !== 'map'",
      'sets have no twins',
    ],
    ['keywords/numbers.ts', 'limit + excluded}', 'limit + excluded - 1}', 'minimum'],
    [
      'object/schema-reader/reader-run.ts',
      '!this.#hasWideDefaults && this.cursor.isPlain',
      '!this.#hasWideDefaults',
      'a character may be two units',
    ],
    [
      'object/schema-reader/accepted-text-cache.ts',
      'this.#rules?.usesOldSelf === true',
      'false',
      'what an older self decides is not remembered',
    ],
    [
      'object/schema-reader/remaining-update-checks.ts',
      'status !== undefined && this.#status',
      'false && this.#status',
      'the status that is kept may be wrong',
    ],
    [
      'object/schema-reader/remaining-update-checks.ts',
      '? child : selectRules(child, isTransition)',
      '? child : undefined',
      'rules about changes are asked',
    ],
    ['object/schema-reader/columns.ts', 'if (this.#isSet && !isDistinctColumn(column)) return undefined;', '', 'a column is a set'],
  ]),
  ...inFolder(
    `${cel}/engines/codegen`,
    [`${cel}/engines/codegen/generate.spec.ts`, reader],
    [['generate.ts', '? cost : undefined', '? cost : cost', 'a rule has to be true']],
  ),
  ...inFolder(
    'libs/go/src/json',
    ['libs/go/src/json', ...READER_SPECS],
    [
      ['byte-cursor.ts', 'declared.has(key) || ', '', 'a declared key may be spelled with an escape'],
      ['byte-cursor.ts', 'code >= 0xe0 ? 2 : 1', '1', 'three bytes are one unit'],
      ['byte-cursor.ts', 'if (!scanner.isClosed) return undefined;', '', 'a column holds all elements of its list'],
    ],
  ),
  // Data: what is stored, and what must not be stored twice, late, or over newer data.
  ...inFolder(`${crd}/object`, OBJECTS_SPECS, [
    ['write/prune.ts', 'delete object[key]', 'void object[key]', 'undeclared fields are dropped'],
    ['write/default.ts', '(present === null && !property.nullable)', 'false', 'nulls that may not be are defaulted'],
    ['write/stored-object.ts', 'significantDigits(revision) !== significantDigits(stored)', 'false', 'another resourceVersion conflicts'],
    ['check-identity.ts', "uid !== oldMetadata['uid']", 'false', 'another uid conflicts'],
  ]),
  ...inFolder(
    'libs/kube/src/object-meta',
    ['libs/kube', `${crd}/object`, `${crd}/rules`, GOLDEN],
    [['validate.ts', 'if (extra.length > 0) {', 'if (false) {', 'no new finalizers on an object that is being deleted']],
  ),
  ...inFolder(reader, READER_SPECS, [
    ['columns.ts', 'bytes.subarray(from, to)', 'bytes.subarray(from + 1, to)', 'the stored list is the one that was sent'],
  ]),
  ...inFolder(
    `${crd}/object/write`,
    [`${crd}/object/json-bytes.spec.ts`],
    [['decode-body.ts', '{ ...reading, value: copyJson(reading.value) }', 'reading', 'what was read before stays as it is']],
  ),
  ...inFolder(
    'libs/jobs/src/life',
    ['libs/jobs/src/life', 'libs/jobs/src/embedded'],
    [['job-life.ts', "when('superseded', to('running', 'store', 'gone')),", '', 'a superseded start may not store']],
  ),
  ...inFolder(
    'libs/jobs/src',
    ['libs/jobs/src/job-runner.spec.ts'],
    [['job-runner.ts', 'if (held[i] === false)', 'if (false)', 'a job that is not held any more is stopped']],
  ),
  ...inFolder(
    'libs/jobs/src/embedded',
    ['libs/jobs/src/embedded'],
    [['live-jobs.ts', 'job.startsWithoutResult += 1', 'job.startsWithoutResult += 0', 'each start of a job counts']],
  ),
  ...inFolder('libs/jobs/src/bullmq/lua', REDIS_SPECS, [
    ['store.lua', "judged = call('HEXISTS', resultsKey(id), args.part) == 1", 'judged = false', 'a result is stored once'],
    ['store.lua', "last = number(key, 'done') + 1 == number(key, 'total')", 'last = false', 'the last result ends an evaluation'],
  ]),
  // Security: what clients may not do, and which resources a hostile text may not use up.
  ...inFolder('apps/api/src/http', HTTP_SPECS, [
    ['check-host.ts', 'if (open && isForeign(request, isOwn))', 'if (false)', 'pages of other sites are refused'],
    ['check-host.ts', 'if (open && !isOwn(authority))', 'if (false)', 'names of other sites are refused'],
    ['body-times.ts', 'Math.min(left, this.#idleMs)', 'left', 'silent clients are ended'],
    ['limit-load.ts', 'open >= maxOpenRequests', 'false', 'open requests are bounded'],
  ]),
  ...inFolder('apps/api/src/access', IDENTITY_SPECS, [
    ['key-ring.ts', 'holder.expires <= Date.now()', 'false', 'keys expire'],
    ['authenticate.ts', '!wanted.some((role) => client.roles.has(role))', 'false', 'a route needs a role'],
    ['json-web-tokens.ts', '        audience,\n', '', 'a token is for this service'],
  ]),
  ...inFolder(
    'libs/runner/src',
    ['libs/runner/src/stuck-host.spec.ts'],
    [
      [
        'supervised-host.ts',
        "host.process.kill('SIGKILL');\n    this.#onHostLost(host, 'SIGKILL');",
        'void host;',
        'a host that does not answer is killed',
      ],
    ],
  ),
  ...inFolder(
    'libs/go/src/yaml',
    ['libs/go/src/yaml'],
    [['decode-document.ts', 'return 0.1;', 'return 0.9;', 'how much of a large document may be aliases']],
  ),
  ...inFolder(
    'libs/go/src/json',
    ['libs/go'],
    [['syntax-error.ts', 'MAX_DEPTH = 10_000', 'MAX_DEPTH = 10_001', 'JSON is nested 10,000 deep at most']],
  ),
];
