/** Hidden object that is validated against a learner's definition. */
interface HiddenCase {
  /** Field `spec` of the object, as YAML on one line. */
  readonly spec: string;
  /** Field `spec` of the stored object; absent if the case is not an update. */
  readonly old?: string;
  readonly accepted: boolean;
  /** Description of what the case tests. The learner sees it if the case fails. */
  readonly tries: string;
}

/** Task in which the learner completes a definition, with the cases that check the solution. */
export interface Task {
  readonly title: string;
  readonly words: string;
  readonly hint: string;
  /** Schema of `spec` as YAML lines, with a placeholder for the rule. */
  readonly schema: string;
  /** Schema that solves the task, in the format of `schema`. */
  readonly solution: string;
  readonly cases: readonly HiddenCase[];
}

const RULES = 'x-kubernetes-validations:';

/** Ten tasks with which users of the web page learn to write rules, from a simple comparison to a rule that is too expensive. */
export const TASKS: readonly Task[] = [
  {
    title: 'Compare two fields',
    words: 'Refuse objects that have fewer replicas than minReplicas. `self` is the object that the rule stands at: here `spec`.',
    hint: 'Fields are reached by `self.replicas`; `<=` compares.',
    schema: `type: object
required: [replicas, minReplicas]
${RULES}
  - rule: "true"
    message: replicas must not be below minReplicas
properties:
  replicas: { type: integer }
  minReplicas: { type: integer }`,
    solution: `type: object
required: [replicas, minReplicas]
${RULES}
  - rule: self.minReplicas <= self.replicas
    message: replicas must not be below minReplicas
properties:
  replicas: { type: integer }
  minReplicas: { type: integer }`,
    cases: [
      { spec: '{replicas: 3, minReplicas: 2}', accepted: true, tries: 'more replicas than wanted' },
      { spec: '{replicas: 2, minReplicas: 2}', accepted: true, tries: 'exactly as many' },
      { spec: '{replicas: 1, minReplicas: 2}', accepted: false, tries: 'one too few' },
    ],
  },
  {
    title: 'A field that may be missing',
    words: 'A time to live, where there is one, must be above zero. Reading a field that is not there is an error: ask with `has()` first.',
    hint: 'Either there is none, or it is large enough: `!has(self.ttl) || …`.',
    schema: `type: object
${RULES}
  - rule: self.ttl > 0
    message: ttl must be above zero
properties:
  ttl: { type: integer }`,
    solution: `type: object
${RULES}
  - rule: "!has(self.ttl) || self.ttl > 0"
    message: ttl must be above zero
properties:
  ttl: { type: integer }`,
    cases: [
      { spec: '{}', accepted: true, tries: 'no ttl at all' },
      { spec: '{ttl: 30}', accepted: true, tries: 'a good one' },
      { spec: '{ttl: 0}', accepted: false, tries: 'zero' },
    ],
  },
  {
    title: 'If one, then the other',
    words: 'Whoever says `type: Custom` must give `custom`, and nobody else may.',
    hint: "Two yes-or-no values are equal: `(self.type == 'Custom') == has(self.custom)`.",
    schema: `type: object
required: [type]
${RULES}
  - rule: "true"
    message: custom goes with the type Custom
properties:
  type: { type: string, enum: [Default, Custom] }
  custom: { type: string }`,
    solution: `type: object
required: [type]
${RULES}
  - rule: (self.type == 'Custom') == has(self.custom)
    message: custom goes with the type Custom
properties:
  type: { type: string, enum: [Default, Custom] }
  custom: { type: string }`,
    cases: [
      { spec: '{type: Custom, custom: a}', accepted: true, tries: 'both' },
      { spec: '{type: Default}', accepted: true, tries: 'neither' },
      { spec: '{type: Custom}', accepted: false, tries: 'a custom type without its field' },
      { spec: '{type: Default, custom: a}', accepted: false, tries: 'the field without its type' },
    ],
  },
  {
    title: 'All of a list',
    words: 'Every tag must begin with `team-`.',
    hint: '`self.tags.all(t, …)` asks about each `t`; strings have `startsWith()`.',
    schema: `type: object
properties:
  tags:
    type: array
    maxItems: 20
    items: { type: string, maxLength: 63 }
    ${RULES}
      - rule: "true"
        message: every tag begins with team-`,
    solution: `type: object
properties:
  tags:
    type: array
    maxItems: 20
    items: { type: string, maxLength: 63 }
    ${RULES}
      - rule: self.all(t, t.startsWith('team-'))
        message: every tag begins with team-`,
    cases: [
      { spec: '{tags: [team-a, team-b]}', accepted: true, tries: 'good tags' },
      { spec: '{tags: []}', accepted: true, tries: 'no tags' },
      { spec: '{tags: [team-a, other]}', accepted: false, tries: 'one bad tag' },
      { spec: '{}', accepted: true, tries: 'no list at all' },
    ],
  },
  {
    title: 'Exactly one of a list',
    words: 'Of the members exactly one is the leader.',
    hint: '`exists_one(m, …)` is true where one member fits. A member without `leader` must not break the rule.',
    schema: `type: object
required: [members]
${RULES}
  - rule: "true"
    message: exactly one member is the leader
properties:
  members:
    type: array
    maxItems: 10
    items:
      type: object
      properties:
        name: { type: string, maxLength: 63 }
        leader: { type: boolean }`,
    solution: `type: object
required: [members]
${RULES}
  - rule: self.members.exists_one(m, has(m.leader) && m.leader)
    message: exactly one member is the leader
properties:
  members:
    type: array
    maxItems: 10
    items:
      type: object
      properties:
        name: { type: string, maxLength: 63 }
        leader: { type: boolean }`,
    cases: [
      { spec: '{members: [{name: a, leader: true}, {name: b}]}', accepted: true, tries: 'one leader' },
      { spec: '{members: [{name: a, leader: true}, {name: b, leader: true}]}', accepted: false, tries: 'two leaders' },
      { spec: '{members: [{name: a, leader: false}]}', accepted: false, tries: 'no leader' },
    ],
  },
  {
    title: 'Keys of a map',
    words: 'Every key of `labels` must have a prefix, such as `example.com/zone`.',
    hint: 'Over a map, `all(k, …)` goes through its keys; strings have `contains()`.',
    schema: `type: object
properties:
  labels:
    type: object
    maxProperties: 20
    additionalProperties: { type: string, maxLength: 63 }
    ${RULES}
      - rule: "true"
        message: every key needs a prefix`,
    solution: `type: object
properties:
  labels:
    type: object
    maxProperties: 20
    additionalProperties: { type: string, maxLength: 63 }
    ${RULES}
      - rule: self.all(k, k.contains('/'))
        message: every key needs a prefix`,
    cases: [
      { spec: '{labels: {example.com/zone: a}}', accepted: true, tries: 'a key with a prefix' },
      { spec: '{labels: {zone: a}}', accepted: false, tries: 'a key without' },
      { spec: '{labels: {example.com/zone: a, zone: b}}', accepted: false, tries: 'one of each' },
    ],
  },
  {
    title: 'What never changes',
    words: 'The region of an object is chosen once. A rule that names `oldSelf` is asked at updates only.',
    hint: 'Put the rule at `region` itself: `self == oldSelf`.',
    schema: `type: object
required: [region]
properties:
  region:
    type: string
    maxLength: 63
    ${RULES}
      - rule: "true"
        message: the region cannot be changed`,
    solution: `type: object
required: [region]
properties:
  region:
    type: string
    maxLength: 63
    ${RULES}
      - rule: self == oldSelf
        message: the region cannot be changed`,
    cases: [
      { spec: '{region: north}', accepted: true, tries: 'a new object' },
      { spec: '{region: north}', old: '{region: north}', accepted: true, tries: 'an update that leaves it' },
      { spec: '{region: south}', old: '{region: north}', accepted: false, tries: 'an update that changes it' },
    ],
  },
  {
    title: 'What only grows',
    words: 'A volume may become larger, never smaller; and it may be made in any size.',
    hint: '`self.size >= oldSelf.size` at `spec`.',
    schema: `type: object
required: [size]
${RULES}
  - rule: self.size > oldSelf.size
    message: a volume cannot shrink
properties:
  size: { type: integer }`,
    solution: `type: object
required: [size]
${RULES}
  - rule: self.size >= oldSelf.size
    message: a volume cannot shrink
properties:
  size: { type: integer }`,
    cases: [
      { spec: '{size: 1}', accepted: true, tries: 'a new volume' },
      { spec: '{size: 9}', old: '{size: 5}', accepted: true, tries: 'one that grows' },
      { spec: '{size: 5}', old: '{size: 5}', accepted: true, tries: 'one that stays' },
      { spec: '{size: 4}', old: '{size: 5}', accepted: false, tries: 'one that shrinks' },
    ],
  },
  {
    title: 'Quantities',
    words: 'What is used must not be more than the limit. Both are quantities as Kubernetes writes them: `500Mi`, `1Gi`.',
    hint: '`quantity(self.used).compareTo(quantity(self.limit))` is -1, 0 or 1.',
    schema: `type: object
required: [used, limit]
${RULES}
  - rule: self.used <= self.limit
    message: more is used than the limit allows
properties:
  used: { type: string, maxLength: 20 }
  limit: { type: string, maxLength: 20 }`,
    solution: `type: object
required: [used, limit]
${RULES}
  - rule: quantity(self.used).compareTo(quantity(self.limit)) <= 0
    message: more is used than the limit allows
properties:
  used: { type: string, maxLength: 20 }
  limit: { type: string, maxLength: 20 }`,
    cases: [
      { spec: '{used: 500Mi, limit: 1Gi}', accepted: true, tries: 'half of it' },
      { spec: '{used: 1024Mi, limit: 1Gi}', accepted: true, tries: 'all of it, in another unit' },
      { spec: '{used: 2Gi, limit: 1000Mi}', accepted: false, tries: 'too much' },
    ],
  },
  {
    title: 'A rule that is too expensive',
    words:
      'The rule is right, and the server refuses the definition: it estimates what the rule may cost at worst, and the list has no bounds. Bound it, so that 50 names of 63 letters still fit.',
    hint: 'A bound at the list, `maxItems`, and one at its items, `maxLength`. The line above the rule shows what is left of its budget.',
    schema: `type: object
properties:
  names:
    type: array
    items: { type: string }
    ${RULES}
      - rule: self.all(a, self.exists_one(b, a == b))
        message: every name comes once`,
    solution: `type: object
properties:
  names:
    type: array
    maxItems: 50
    items: { type: string, maxLength: 63 }
    ${RULES}
      - rule: self.all(a, self.exists_one(b, a == b))
        message: every name comes once`,
    cases: [
      { spec: '{names: [a, b, c]}', accepted: true, tries: 'three names' },
      { spec: '{names: [a, b, a]}', accepted: false, tries: 'a name that comes twice' },
      {
        spec: `{names: [${Array.from({ length: 50 }, (_, i) => `n${i}${'x'.repeat(61 - String(i).length)}`).join(', ')}]}`,
        accepted: true,
        tries: '50 long names',
      },
    ],
  },
];

const indented = (text: string): string => text.replaceAll(/^/gm, ' '.repeat(14));

/**
 * Returns the CustomResourceDefinition of a learning task, with the given schema for `spec`. The schema is the one with which the learner
 * begins, or a solution of the task.
 */
export function definitionOf(schema: string): string {
  return `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: lessons.learn.example.com
spec:
  group: learn.example.com
  scope: Namespaced
  names: { kind: Lesson, plural: lessons }
  versions:
    - name: v1
      served: true
      storage: true
      schema:
        openAPIV3Schema:
          type: object
          properties:
            spec:
${indented(schema)}
`;
}

/**
 * Returns the objects that test a learner's solution of a task, as YAML texts: the objects to write (`objects`) and the stored objects
 * (`old`). The first case has the name `case-1`, the second `case-2`, and so on.
 */
export function hiddenTexts({ cases }: Task): { readonly objects: string; readonly old: string } {
  const object = (i: number, spec: string): string =>
    `apiVersion: learn.example.com/v1\nkind: Lesson\nmetadata: {name: case-${i + 1}}\nspec: ${spec}\n`;
  return {
    objects: cases.map(({ spec }, i) => object(i, spec)).join('---\n'),
    old: cases.flatMap(({ old }, i) => (old === undefined ? [] : [object(i, old)])).join('---\n'),
  };
}
