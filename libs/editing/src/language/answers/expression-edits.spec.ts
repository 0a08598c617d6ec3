import { describe, expect, it } from 'vitest';
import type { TextEdit } from './answers.ts';
import { LanguageService } from '../language-service.ts';
import type { Position, Range } from '../open-texts/position.ts';
import { definitionWith } from '../testing/definition-text.ts';

const URI = 'file:///crd.yaml';

/** Returns a service in which a text is open, and the position that `¦` marks in the text. */
function at(marked: string): { readonly service: LanguageService; readonly position: Position; readonly text: string } {
  const lines = marked.slice(0, marked.indexOf('¦')).split('\n');
  const text = marked.replace('¦', '');
  const service = new LanguageService();
  service.setText(URI, text);
  return { service, text, position: { line: lines.length - 1, character: lines.at(-1)?.length ?? 0 } };
}

function textOf(text: string, { start, end }: Range): string {
  const lines = text.split('\n');
  return start.line === end.line ? (lines[start.line] ?? '').slice(start.character, end.character) : '(several lines)';
}

function edited(text: string, edits: readonly TextEdit[]): string {
  const lines = text.split('\n');
  const offset = ({ line, character }: Position): number => lines.slice(0, line).reduce((sum, one) => sum + one.length + 1, 0) + character;
  return edits
    .toSorted((a, b) => offset(a.range.start) - offset(b.range.start))
    .reduceRight((changed, { range, newText }) => changed.slice(0, offset(range.start)) + newText + changed.slice(offset(range.end)), text);
}

const definitionOf = (rules: string): string => definitionWith(rules).replaceAll(/^ {14}- /gm, `${' '.repeat(12)}- `);

/** Returns the value of the first `rule:` line in a text. */
const ruleIn = (text: string): string => /rule: (.*)/.exec(text)?.[1] ?? '';

describe('semantic tokens of rules', () => {
  it('mark variables, fields, functions and macros, in every kind of YAML scalar', () => {
    const { service, text } = at(
      definitionOf('rule: |\n    self.list.all(x, x.key.startsWith("é") && x.value > 1)¦\n- rule: "has(self.name)"'),
    );
    const found = service.tokens(URI).map(({ range, type }) => `${type} ${textOf(text, range)}`);
    expect(found).toEqual([
      'variable self',
      'property list',
      'macro all',
      'variable x',
      'variable x',
      'property key',
      'method startsWith',
      'string "é"',
      'operator &&',
      'variable x',
      'property value',
      'operator >',
      'number 1',
      'macro has',
      'variable self',
      'property name',
    ]);
  });

  it('exist in policies, but not in other texts', () => {
    const { service, text } = at(
      'kind: ValidatingAdmissionPolicy\nspec:\n  validations:\n  - expression: object.a == 1¦\n    message: self.b\n',
    );
    expect(service.tokens(URI).map(({ range }) => textOf(text, range))).toEqual(['object', 'a', '==', '1']);
  });
});

describe('renaming', () => {
  const renamed = (marked: string, to: string): string => {
    const { service, position, text } = at(marked);
    const edits = service.rename(URI, position, to);
    return 'problem' in edits ? edits.problem : ruleIn(edited(text, edits));
  };

  it.each([
    ['at its binding', 'rule: \'self.list.all(x¦, x.key != "x" && x.value > 1)\''],
    ['at a use', 'rule: \'self.list.all(x, x.key != "x" && x¦.value > 1)\''],
  ])('renames the variable of a macro everywhere: %s', (_, rule) => {
    expect(renamed(definitionWith(rule), 'item')).toBe('\'self.list.all(item, item.key != "x" && item.value > 1)\'');
  });

  it('does not change variables of the same name in inner macros', () => {
    const rule = "rule: 'self.list.all(x¦, self.list.exists(x, x.value > 1) || x.value > 2)'";
    expect(renamed(definitionWith(rule), 'y')).toBe("'self.list.all(y, self.list.exists(x, x.value > 1) || y.value > 2)'");
    const inner = "rule: 'self.list.all(x, self.list.exists(x, x¦.value > 1) || x.value > 2)'";
    expect(renamed(definitionWith(inner), 'y')).toBe("'self.list.all(x, self.list.exists(y, y.value > 1) || x.value > 2)'");
  });

  it('supports macros with two variables', () => {
    expect(renamed(definitionWith("rule: 'self.list.all(i, x¦, i < 3 && x.value > 1)'"), 'e')).toBe(
      "'self.list.all(i, e, i < 3 && e.value > 1)'",
    );
  });

  it.each([
    [
      'a new name that has another meaning inside the macro',
      "rule: 'self.list.all(x¦, x.value > self.count)'",
      'self',
      'self already stands inside the macro',
    ],
    ['a new name that is no name of CEL', "rule: 'self.list.all(x¦, x.value > 1)'", '1x', '1x is no name of CEL'],
    ['a new name that is a reserved word', "rule: 'self.list.all(x¦, x.value > 1)'", 'in', 'in is no name of CEL'],
    ['a new name for a field', 'rule: \'self.na¦me == "a"\'', 'title', 'only variables of macros can be renamed'],
  ])('rejects %s', (_, rule, to, words) => {
    expect(renamed(definitionWith(rule), to)).toContain(words);
  });

  it('is offered only on a renamable name', () => {
    const { service, position } = at(definitionWith("rule: 'self.list.all(x, x¦.value > 1)'"));
    expect(service.renamed(URI, position)?.name).toBe('x');
    const { service: other, position: field } = at(definitionWith('rule: \'self.na¦me == "a"\''));
    expect(other.renamed(URI, field)).toBeUndefined();
  });
});

describe('the references of a field', () => {
  const lines = (marked: string): string[] => {
    const { service, position, text } = at(marked);
    return service
      .references(URI, position)
      .map((range) => `${(text.split('\n')[range.start.line] ?? '').trim()} › ${textOf(text, range)}`);
  };
  const RULES =
    'rule: self.list.all(x, x.key != self.name)\n- rule: self.na¦me.size() > 1 && self.max__dash__count > 0\n- rule: \'"name" == self.name\'';

  it('include its declaration and all rules that use the field', () => {
    expect(lines(definitionOf(RULES))).toEqual([
      'name: {type: string, maxLength: 20, description: What it is called} › name',
      '- rule: self.list.all(x, x.key != self.name) › name',
      '- rule: self.name.size() > 1 && self.max__dash__count > 0 › name',
      '- rule: \'"name" == self.name\' › name',
    ]);
  });

  it('are the same, whether the search begins at the declaration or in a rule', () => {
    const text = definitionOf(RULES.replace('¦', '')).replace('max-count:', 'max-c¦ount:');
    expect(lines(text)).toEqual([
      'max-count: {type: integer} › max-count',
      '- rule: self.name.size() > 1 && self.max__dash__count > 0 › max__dash__count',
    ]);
  });

  it('include uses through the variable of a macro, for a field of a list item', () => {
    expect(lines(definitionWith("rule: self.list.all(x, x.ke¦y != '') && self.list[0].key != ''"))).toEqual([
      'key: {type: string} › key',
      "- rule: self.list.all(x, x.key != '') && self.list[0].key != '' › key",
      "- rule: self.list.all(x, x.key != '') && self.list[0].key != '' › key",
    ]);
  });
});

describe('formatting of expressions', () => {
  it.each([
    ['\'self.count>1&&self.name  =="a"\'', '\'self.count > 1 && self.name == "a"\''],
    ["'self.list.all( x,x.value>-1 )'", "'self.list.all(x, x.value > -1)'"],
    ["'self.count>1?self.count<9:true'", "'self.count > 1 ? self.count < 9 : true'"],
    ['\'{"a" : 1,"b":2}.size()==2\'', '\'{"a": 1, "b": 2}.size() == 2\''],
    ['\'{"a": self.count>1?2:3}.size()==1\'', '\'{"a": self.count > 1 ? 2 : 3}.size() == 1\''],
    ["'!(self.count in[1,2])'", "'!(self.count in [1, 2])'"],
    ['\'self.?name.orValue("")!="x"\'', '\'self.?name.orValue("") != "x"\''],
    ["'self.count - -1==3-2'", "'self.count - -1 == 3 - 2'"],
    ['self.count>1', 'self.count > 1'],
    // In a plain scalar, a colon and a space would begin a map.
    ['self.count>1?true:false', 'self.count > 1 ? true:false'],
    ["'self.count > 1'", "'self.count > 1'"],
    ["'self.count >'", "'self.count >'"],
  ])('writes %s with the usual spaces', (before, after) => {
    const { service, text } = at(definitionWith(`rule: ${before}¦`));
    const changed = edited(text, service.formatting(URI));
    expect(ruleIn(changed)).toBe(after);
    const again = new LanguageService();
    again.setText(URI, changed);
    expect(again.formatting(URI)).toEqual([]);
  });

  it('keeps line breaks', () => {
    const { service, text } = at(definitionWith('rule: |\n    self.count>1 &&\n      self.name==""¦'));
    expect(edited(text, service.formatting(URI))).toMatch(/self\.count > 1 &&\n +self\.name == ""\n/);
  });
});

describe('expressions of admission policies', () => {
  const POLICY = (expression: string): string => `apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: {name: one}
spec:
  matchConstraints:
    resourceRules:
    - {apiGroups: [example.com], apiVersions: [v1], operations: [CREATE], resources: [things]}
  variables:
  - {name: limit, expression: '3'}
  validations:
  - expression: ${expression}
`;

  function withDefinition(marked: string): { readonly service: LanguageService; readonly position: Position } {
    const { service, position } = at(marked);
    service.setText('file:///things.yaml', definitionWith('rule: "true"'));
    return { service, position };
  }

  it('get completions for variables, their members, and fields of the object', () => {
    const labels = (expression: string): string[] => {
      const { service, position } = withDefinition(POLICY(expression));
      return service.completions(URI, position).map(({ label }) => label);
    };
    expect(labels('"obj¦"')).toContain('object');
    expect(labels('"request.¦"')).toEqual(expect.arrayContaining(['userInfo', 'operation']));
    expect(labels('"variables.¦"')).toContain('limit');
    expect(labels('"object.spec.¦"')).toEqual(expect.arrayContaining(['name', 'max__dash__count']));
  });

  it('get the type under the cursor', () => {
    const { service, position } = withDefinition(POLICY('"object.spec.cou¦nt > variables.limit"'));
    expect(service.hover(URI, position)?.text).toContain('object.spec.count: int');
  });

  it('get a type-checking warning at the exact character', () => {
    const { service } = withDefinition(POLICY('"object.spec.number > 1¦"'));
    const [warning, ...others] = service.diagnostics(URI);
    expect(others).toEqual([]);
    expect(warning).toMatchObject({ severity: 'warning', message: expect.stringContaining("undefined field 'number'") as string });
    expect(warning?.range.start).toEqual({ line: 10, character: '  - expression: "object.spec'.length });
  });
});

describe('a code action for the oldest chosen version', () => {
  const fixed = (rule: string): string[] => {
    const marked = definitionWith(`rule: ${rule}`);
    const { position, text } = at(marked);
    const service = new LanguageService(['1.30', '1.37']);
    service.setText(URI, text);
    return service
      .codeActions(URI, { start: position, end: position })
      .filter(({ title }) => title.includes('which Kubernetes 1.30 knows'))
      .map(({ edits }) => ruleIn(edited(text, edits)));
  };

  it.each([
    ['"self.list.all(i, x, x.value¦ > 1)"', '"self.list.all(x, x.value > 1)"'],
    ['"self.list.existsOne(i, x, x.value¦ > 1)"', '"self.list.exists_one(x, x.value > 1)"'],
    ['"self.list.transformList(i, x, x.va¦lue).size() > 1"', '"self.list.map(x, x.value).size() > 1"'],
    ['"self.list.map(x, x.value).includes(self.c¦ount)"', '"(self.count in self.list.map(x, x.value))"'],
  ])('rewrites a call that this version does not know: %s', (rule, other) => {
    expect(fixed(rule)).toEqual([other]);
  });

  it.each([
    ['whose index is named', '"self.list.all(i, x, x.value¦ > i)"'],
    ['over maps, where one variable is the key', '"self.labels.all(k, v, v.si¦ze() > 1)"'],
    ['that it knows', '"self.list.all(x, x.value¦ > 1)"'],
  ])('is not offered for a call %s', (_, rule) => {
    expect(fixed(rule)).toEqual([]);
  });
});
