import { describe, expect, it } from 'vitest';
import { compositeDefinition, pool } from '../../../../testing/composite-definition.ts';
import { thorough } from '../../../../testing/thorough.ts';
import { LanguageService } from './language-service.ts';
import type { CodeAction, Completion } from './answers/answers.ts';
import type { Position } from './open-texts/position.ts';
import { definitionWith } from './testing/definition-text.ts';

const URI = 'file:///crd.yaml';
const OBJECT = 'file:///object.yaml';
/** Number of random edits of a text after which the service must answer like a new one. */
const EDITS = thorough ? 400 : 100;

/** Returns a language service with a text, and the position that `¦` marks in the text. */
function at(
  marked: string,
  uri = URI,
  service = new LanguageService(),
): { readonly service: LanguageService; readonly position: Position } {
  const offset = marked.indexOf('¦');
  const lines = marked.slice(0, offset).split('\n');
  service.setText(uri, marked.replace('¦', ''));
  return { service, position: { line: lines.length - 1, character: lines.at(-1)?.length ?? 0 } };
}

const completionsAt = (marked: string, uri = URI, given?: LanguageService): readonly Completion[] => {
  const { service, position } = at(marked, uri, given);
  return service.completions(uri, position);
};
const labels = (items: readonly Completion[]): string[] => items.map(({ label }) => label);
const hoverText = (marked: string, uri = URI, given?: LanguageService): string => {
  const { service, position } = at(marked, uri, given);
  return service.hover(uri, position)?.text ?? '';
};

/** Returns the text after the edits of a code action are applied. */
function applied(text: string, { edits }: CodeAction): string {
  const lines = text.split('\n');
  const offset = ({ line, character }: Position): number => lines.slice(0, line).join('\n').length + (line === 0 ? 0 : 1) + character;
  return edits.reduceRight(
    (changed, { range, newText }) => changed.slice(0, offset(range.start)) + newText + changed.slice(offset(range.end)),
    text,
  );
}

describe('completion in rules', () => {
  it('offers field names in CEL notation', () => {
    const items = completionsAt(definitionWith('rule: "self.¦"'));
    expect(labels(items)).toEqual(expect.arrayContaining(['name', 'count', 'max__dash__count', 'list', 'labels']));
    expect(items.find(({ label }) => label === 'count')?.detail).toBe('int');
  });

  it.each([
    ['plain', 'rule: self.co¦'],
    ['double quotes that are not closed', 'rule: "self.co¦'],
    ['single quotes that are not closed', "rule: 'self.co¦"],
    ['a literal block', 'rule: |\n    self.name != "" &&\n    self.co¦'],
    ['a folded block', 'rule: >-\n    self.co¦'],
    ['plain text in two lines', 'rule: self.count > 1 &&\n    self.co¦'],
    ['behind an operator', 'rule: "self.name.size() > self.co¦"'],
    ['inside a call', 'rule: "size(self.co¦"'],
  ])('works in an incomplete expression: %s', (_, rule) => {
    const service = new LanguageService();
    service.setText(URI, definitionWith('rule: "true"'));
    const items = completionsAt(definitionWith(rule), URI, service);
    expect(labels(items)).toEqual(['count']);
    expect(items[0]?.range.end.character).toBe((items[0]?.range.start.character ?? 0) + 2);
  });

  it('offers the variables of macros', () => {
    expect(labels(completionsAt(definitionWith('rule: "self.list.all(x, x.¦)"')))).toEqual(expect.arrayContaining(['key', 'value']));
    expect(labels(completionsAt(definitionWith('rule: "self.list.all(entry, ent¦"')))).toEqual(['entry']);
    expect(labels(completionsAt(definitionWith('rule: "self.labels.all(k, k.starts¦"')))).toEqual(['startsWith']);
    expect(labels(completionsAt(definitionWith('rule: "self.list.filter(x, x.value > 1).map(y, y.k¦"')))).toEqual(['key']);
  });

  it('offers the members that a type has in the oldest chosen version', () => {
    const ofString = labels(completionsAt(definitionWith('rule: "self.name.¦"')));
    expect(ofString).toContain('startsWith');
    expect(ofString).not.toContain('all');
    const ofList = labels(completionsAt(definitionWith('rule: "self.list.¦"')));
    expect(ofList).toEqual(expect.arrayContaining(['all', 'exists', 'size']));
    expect(ofList).not.toContain('startsWith');
    expect(labels(completionsAt(definitionWith('rule: "self.list.sortB¦"'), URI, new LanguageService(['1.30', '1.37'])))).toEqual([]);
    expect(labels(completionsAt(definitionWith('rule: "self.list.sortB¦"'), URI, new LanguageService(['1.37'])))).toEqual(['sortBy']);
  });

  it('offers nothing inside a string', () => {
    expect(completionsAt(definitionWith(`rule: self.name == "sel¦`))).toEqual([]);
  });
});

describe('completion of keys and values', () => {
  it('offers keywords that the schema does not have yet', () => {
    const found = labels(
      completionsAt(
        definitionWith('rule: "true"').replace(
          '              name: {type',
          '              other:\n                type: string\n                max¦\n              name: {type',
        ),
      ),
    );
    expect(found).toEqual(['maximum', 'maxLength', 'maxItems', 'maxProperties']);
    const again = completionsAt(
      definitionWith('rule: "true"').replace(
        '              name: {type',
        '              other:\n                maxLength: 3\n                max¦\n              name: {type',
      ),
    );
    expect(labels(again)).not.toContain('maxLength');
  });

  it('offers fields of a rule, and their values', () => {
    expect(labels(completionsAt(definitionWith('rule: "true"\nme¦')))).toEqual(['message', 'messageExpression']);
    expect(labels(completionsAt(definitionWith('rule: "true"\nreason: FieldValueF¦')))).toEqual(['FieldValueForbidden']);
  });

  it('offers the keys and values that the schema allows in an object', () => {
    const service = new LanguageService();
    service.setText(URI, definitionWith('rule: "true"'));
    const head = 'apiVersion: example.com/v1\nkind: Thing\nmetadata:\n  name: a\nspec:\n';
    expect(labels(completionsAt(`${head}  count: 1\n  ¦`, OBJECT, service))).toEqual(['name', 'max-count', 'size', 'list', 'labels']);
    expect(labels(completionsAt(`${head}  size: ¦`, OBJECT, service))).toEqual(['small', 'large']);
    expect(labels(completionsAt(`${head}  list:\n  - key: a\n    v¦`, OBJECT, service))).toEqual(['value']);
    expect(labels(completionsAt(`${head}  "broken\n  list:\n  - ¦`, OBJECT, service))).toEqual(['key', 'value']);
  });
});

describe('hover', () => {
  it('shows type and cost in a rule', () => {
    const text = hoverText(definitionWith('rule: "self.list.all(x, x.ke¦y.startsWith(\'a\'))"'));
    expect(text).toContain('x.key: string');
    expect(text).toMatch(/costs up to \*\*[\d,]+\*\* in one evaluation/);
    expect(hoverText(definitionWith('rule: "self.list.all(¦x, x.value > 1)"'))).toContain('x: object');
  });

  it('describes a function, with its first version', () => {
    expect(hoverText(definitionWith('rule: "self.name.starts¦With(\'a\')"'))).toContain('string.startsWith(string) → bool');
    expect(hoverText(definitionWith('rule: "self.list.a¦ll(x, true)"'))).toContain('**macro** `all`');
    expect(hoverText(definitionWith('rule: "isSemv¦er(self.name)"'))).toContain('since 1.');
  });

  it('shows the sizes that estimates assume for a schema node', () => {
    expect(hoverText(definitionWith('rule: "true"').replace('value: {type: integer}', 'val¦ue: {type: integer}'))).toContain(
      'any number of it',
    );
    expect(hoverText(definitionWith('rule: "true"').replace('name: {type', 'na¦me: {type'))).toContain('up to 80 bytes');
  });

  it("shows the schema of an object's field, and its rules with their costs", () => {
    const service = new LanguageService();
    service.setText(URI, definitionWith('rule: "self.count > 0"'));
    const object = 'apiVersion: example.com/v1\nkind: Thing\nmetadata: {name: a}\nspec:\n  name: b\n';
    expect(hoverText(object.replace('  name: b', '  na¦me: b'), OBJECT, service)).toContain(
      'string, at most 20 characters\n\nWhat it is called',
    );
    expect(hoverText(object.replace('spec:', 'sp¦ec:'), OBJECT, service)).toMatch(/self\.count > 0.*\n.*estimate \d+ of 10,000,000/);
  });
});

describe('diagnostics', () => {
  it('name the versions that report an error if not all versions report it', () => {
    const service = new LanguageService(['1.30', '1.31', '1.37']);
    service.setText(URI, definitionWith('rule: self.list.sortBy(x, x.value) == self.list'));
    const found = service.diagnostics(URI).find(({ message }) => message.includes("undeclared reference to 'sortBy'"));
    expect(found?.message).toMatch(/\(error on 1\.30 – 1\.31\)$/);
  });

  it('mark a broken rule once, and not also each default below it', () => {
    const service = new LanguageService();
    const schema = [
      'properties:',
      '  path:',
      '    type: object',
      '    default: {kind: Prefix}',
      '    properties: {kind: {type: string}}',
      '    x-kubernetes-validations:',
      '    - rule: self.kimd == "Prefix"',
    ];
    const given = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: widgets.example.com}
spec:
  group: example.com
  scope: Namespaced
  names: {plural: widgets, kind: Widget}
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec:
            type: object
            default: {path: {kind: Exact}}
            ${schema.join('\n            ')}
`;
    service.setText(URI, given);
    const line = given.split('\n').findIndex((text) => text.includes('kimd'));
    expect(service.diagnostics(URI).filter(({ severity }) => severity === 'error')).toMatchObject([
      { range: { start: { line } }, message: "rule compile error: compilation failed: undefined field 'kimd'" },
    ]);
  });

  it('validate objects with the definitions in open texts', () => {
    const service = new LanguageService();
    service.setText(URI, definitionWith('rule: self.count > 0\nmessage: count must be positive'));
    service.setText(
      OBJECT,
      '# one\n---\napiVersion: example.com/v1\nkind: Thing\nmetadata:\n  name: a\nspec:\n  count: -1\n---\nkind: Other\n',
    );
    expect(service.diagnostics(OBJECT)).toEqual([
      {
        range: { start: { line: 6, character: 0 }, end: { line: 6, character: 4 } },
        severity: 'error',
        message: 'spec: Invalid value: count must be positive',
        code: 'FieldValueInvalid',
      },
    ]);
    service.setText(OBJECT, 'apiVersion: example.com/v1\nkind: Thing\nmetadata:\n  name: a\nspec:\n  count: 1\n  odd: 1\n');
    expect(service.diagnostics(OBJECT)).toMatchObject([
      { range: { start: { line: 6, character: 2 } }, message: expect.stringContaining('unknown field "spec.odd"') as string },
    ]);
  });

  it('mark the line of a syntax error', () => {
    const service = new LanguageService();
    service.setText(URI, 'a: 1\n---\nb: [1\nc: 2\n');
    expect(service.diagnostics(URI)).toMatchObject([
      { severity: 'error', range: { start: { line: 3 } }, message: expect.stringMatching(/^yaml: line 2:/) as string },
    ]);
  });

  it('validate admission policies', () => {
    const service = new LanguageService();
    service.setText(
      URI,
      `apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: {name: p}
spec:
  matchConstraints:
    resourceRules: [{apiGroups: [""], apiVersions: [v1], resources: [pods], operations: [CREATE]}]
  validations:
  - expression: object.metadata.name.size() > nothing
`,
    );
    expect(service.diagnostics(URI)).toMatchObject([
      {
        severity: 'error',
        range: { start: { line: 7, character: 46 } },
        message: expect.stringContaining("undeclared reference to 'nothing'") as string,
      },
    ]);
  });
});

const problemsOf = (service: LanguageService) => service.diagnostics(URI);

describe('code lenses and code actions', () => {
  const dear = 'rule: self.list.all(x, self.list.exists(y, x.key == y.key))';

  it('show the cost of a rule above the rule', () => {
    const service = new LanguageService();
    service.setText(URI, definitionWith('rule: self.count > 0'));
    expect(service.lenses(URI)).toMatchObject([
      {
        title: expect.stringMatching(/^estimate \d+ of 10,000,000 \(0\.0 %\)$/) as string,
        isTooExpensive: false,
        range: { start: { line: 19, character: 14 } },
      },
    ]);
    service.setText(URI, definitionWith(dear));
    expect(service.lenses(URI)).toMatchObject([{ isTooExpensive: true }]);
  });

  it('add bounds with which a server accepts the definition', () => {
    const { service, position } = at(definitionWith(dear.replace('self', '¦self')));
    const text = service.textOf(URI) ?? '';
    expect(service.diagnostics(URI).length).toBeGreaterThan(0);
    const actions = service.codeActions(URI, { start: position, end: position }).filter(({ title }) => title.startsWith('Set '));
    expect(actions.length).toBeGreaterThan(0);
    for (const action of actions) {
      service.setText(URI, applied(text, action));
      expect(problemsOf(service), action.title).toEqual([]);
    }
  });

  it('add optionalOldSelf to a rule', () => {
    const { service, position } = at(definitionWith('rule: ¦self.count >= oldSelf.count'));
    const text = service.textOf(URI) ?? '';
    const action = service
      .codeActions(URI, { start: position, end: position })
      .find(({ title }) => title.includes('optionalOldSelf')) as CodeAction;
    expect(applied(text, action)).toContain('- optionalOldSelf: true\n              rule: self.count');
  });

  it('quote a value, even a value that breaks the YAML syntax', () => {
    const { service, position } = at(definitionWith('rule: !¦has(self.name) || self.name != "a: b"'));
    const text = service.textOf(URI) ?? '';
    const action = service
      .codeActions(URI, { start: position, end: position })
      .find(({ title }) => title === 'Quote the value') as CodeAction;
    service.setText(URI, applied(text, action));
    expect(problemsOf(service)).toEqual([]);
  });

  it.each([
    ['a key', 'spec:\n  ¦nmae: x\n', ['Replace nmae with name']],
    ['a value', 'spec:\n  size: ¦smal\n', ['Replace smal with small']],
    ['a key that is far from all', 'spec:\n  ¦colour: 1\n', []],
    ['a key with a letter too few', 'spec:\n  ¦coun: 1\n', ['Replace coun with count']],
    ['a key that is right', 'spec:\n  ¦count: 1\n', []],
  ])('offer to replace a misspelled word, and only by a similar valid word: %s', (_, text, expected) => {
    const service = new LanguageService();
    service.setText(URI, definitionWith('rule: "true"'));
    const { position } = at(`apiVersion: example.com/v1\nkind: Thing\nmetadata: {name: a}\n${text}`, OBJECT, service);
    const titles = service.codeActions(OBJECT, { start: position, end: position }).map(({ title }) => title);
    expect(titles.filter((title) => title.startsWith('Replace '))).toEqual(expected);
  });

  it('replace a misspelled field in a rule by the nearest field', () => {
    const { service } = at(definitionWith('rule: self.coun > 0¦'));
    const [problem] = service.diagnostics(URI);
    const action = problem && service.codeActions(URI, problem.range).find(({ title }) => title === 'Replace coun with count');
    service.setText(URI, applied(service.textOf(URI) ?? '', action as CodeAction));
    expect(problemsOf(service)).toEqual([]);
  });

  it.each([
    ['10 s', false],
    ['a#b', false],
    ['y', true],
    ['no', true],
  ])('offer quotes only if quotes turn the value into a string: %s', (value, isOffered) => {
    const { service, position } = at(`apiVersion: example.com/v1\nkind: Thing\nmetadata: {name: a}\nspec:\n  name: ¦${value}\n`, OBJECT);
    const titles = service.codeActions(OBJECT, { start: position, end: position }).map(({ title }) => title);
    expect(titles.includes('Quote the value')).toBe(isOffered);
  });
});

describe('a text while the user edits it', () => {
  it('is compiled again only where it changed, with the same result as a new text', () => {
    const service = new LanguageService();
    const rules = Array.from({ length: 20 }, (_, i) => `rule: self.count != ${i}`)
      .join('\n- ')
      .replaceAll('\n- ', '\n    - ')
      .replaceAll('\n    - ', '\n- ');
    const text = definitionWith('rule: self.count > 0').replace(
      '            - rule: self.count > 0',
      rules
        .split('\n')
        .map((line, i) => `            ${i === 0 ? '- ' : ''}${line}`)
        .join('\n'),
    );
    service.setText(URI, text);
    expect(problemsOf(service)).toEqual([]);
    const before = service.compilations(URI);
    expect(before).toBe(20);
    const states = [
      'self.count != 7 &',
      'self.count != 7 &&',
      'self.count != 7 && sel',
      'self.count != 7 && self.name',
      'self.count != 7 && self.name != "x"',
    ];
    for (const state of states) {
      const next = text.replace('self.count != 7', state);
      service.setText(URI, next);
      const fresh = new LanguageService();
      fresh.setText(URI, next);
      expect(service.diagnostics(URI), state).toEqual(fresh.diagnostics(URI));
      expect(service.lenses(URI), state).toEqual(fresh.lenses(URI));
    }
    expect(service.compilations(URI) - before).toBe(states.length);
  });

  it(`gives the same result as a new text after each of ${EDITS} random edits`, () => {
    const text = `${definitionWith('rule: self.count > 0\nmessage: "no"')}---\napiVersion: example.com/v1\nkind: Thing\nmetadata:\n  name: a\nspec:\n  count: 0\n  list:\n  - key: a\n    value: 1\n  - key: b\n`;
    const service = new LanguageService();
    service.setText(URI, text);
    const pieces = ['\n', ' ', 'x', ': ', '- ', '"', "'", '# ', '|', '\n  ', '\n              ', '1', '{', '&a ', '*a', '---\n'];
    let seed = 12345;
    const random = (below: number): number => {
      seed = (seed * 1103515245 + 12345) % 2147483648;
      return seed % below;
    };
    for (let round = 0; round < EDITS; round++) {
      const start = random(text.length);
      const edited = text.slice(0, start) + (pieces[random(pieces.length)] as string) + text.slice(start + random(4));
      const fresh = new LanguageService();
      fresh.setText(URI, edited);
      service.setText(URI, edited);
      expect(service.diagnostics(URI), JSON.stringify(edited.slice(start - 30, start + 30))).toEqual(fresh.diagnostics(URI));
      expect(service.lenses(URI), JSON.stringify(edited.slice(start - 30, start + 30))).toEqual(fresh.lenses(URI));
      service.setText(URI, text);
    }
  });
});

it('a rule of an accepted definition gets advice at the position of the rule', () => {
  const { service, position } = at(definitionWith('rule: ¦self.count > 0'));
  const hints = service.advice(URI);
  expect(hints.map(({ code, range }) => [code, range.start])).toEqual([['missing-has', position]]);
  service.setText(URI, (service.textOf(URI) ?? '').replace('self.count > 0', 'self.nothing > 0'));
  expect(service.diagnostics(URI).map(({ severity }) => severity)).toEqual(['error']);
});

describe('a CompositeResourceDefinition of Crossplane', () => {
  const XRD = JSON.stringify(compositeDefinition(), null, 2).replace('self <= 10', 'self <= ten');

  it('gets errors at its rules, like the definition that Crossplane generates from it', () => {
    const service = new LanguageService();
    service.setText(URI, XRD);
    const [first] = service.diagnostics(URI);
    expect(first?.message).toContain('undeclared reference to');
    expect(XRD.split('\n')[first?.range.start.line ?? 0]).toContain('self <= ten');
  });

  it('validates its composite resources, including the fields that Crossplane adds', () => {
    const service = new LanguageService();
    service.setText(URI, XRD.replace('self <= ten', 'self <= 10'));
    service.setText(OBJECT, JSON.stringify({ ...pool('XPool', 1), spec: { compositionRef: {} } }));
    expect(service.diagnostics(OBJECT).map(({ message }) => message)).toContainEqual(expect.stringContaining('Required value'));
  });
});
