import { describe, expect, it } from 'vitest';
import { LanguageService } from '../language-service.ts';
import type { Minor } from '#kube';

const URI = 'file:///api/v1/widget_types.go';

/** Returns the messages about a Go field with the given marker. Each message is preceded by the source text that is underlined. */
function messages(marker: string, minors: readonly Minor[] = ['1.37']): string[] {
  const text = `package v1\n\ntype Widget struct {\n\t${marker}\n\tSize int \`json:"size"\`\n}\n`;
  const service = new LanguageService(minors);
  service.setText(URI, text);
  return service.diagnostics(URI).map(({ range: { start, end }, message }) => {
    const line = text.split('\n')[start.line] ?? '';
    return `${line.slice(start.character, end.character)} › ${message}`;
  });
}

const marker = (rule: string): string => `// +kubebuilder:validation:XValidation:rule=${rule}`;

describe('Kubebuilder markers in Go sources', () => {
  it.each([
    marker('"self.size > 1"'),
    marker('`self.name.matches("^[a-z]+$")`'),
    `${marker('"self == oldSelf"')},message="Value is immutable, \\"always\\""`,
    '// +kubebuilder:validation:XValidation:message="a",rule="!oldSelf.hasValue() || self == oldSelf.value()",optionalOldSelf=true',
    '// +kubebuilder:validation:items:XValidation:rule="self > 0",fieldPath=".size",reason=FieldValueInvalid',
    '// +kubebuilder:validation:MaxLength=3',
    '// an XValidation:rule="self.(" in words',
  ])('that are valid get no error: %s', (text) => {
    expect(messages(text)).toEqual([]);
  });

  it.each([
    [marker('"self.size >"'), '" › Syntax error: '],
    [marker('"self.name.startWith(\'a\')"'), "( › undeclared reference to 'startWith'"],
    [marker('"size(\\"é\\") == other"'), "o › undeclared reference to 'other'"],
    [marker('`self.all(x, unknown(x))`'), "( › undeclared reference to 'unknown'"],
    [`${marker('"self.a"')},messageExpression="'a' + 1"`, "+ › found no matching overload for '_+_'"],
    [marker('"self.a == \\q"'), 'the string of rule does not end'],
    [marker('"self.a == "b""'), 'something stands behind the string of rule'],
    ['// +kubebuilder:validation:XValidation:message="a"', 'the marker has no rule'],
  ])('get an error at the exact character: %s', (text, words) => {
    const found = messages(text);
    expect(found).toHaveLength(1);
    expect(found[0]).toContain(words);
  });

  it('name the versions that lack a function of the rule', () => {
    expect(messages(marker('"[1, 2].sort() == self"'), ['1.30', '1.37'])).toEqual([
      "( › undeclared reference to 'sort' (in container '')\n(error on 1.30)",
    ]);
  });
});
