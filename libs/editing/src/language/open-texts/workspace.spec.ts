import { expect, it, vi } from 'vitest';
import { Workspace } from './workspace.ts';

const definition = (kind: string): string =>
  `apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nspec: {group: example.com, names: {kind: ${kind}}, versions: []}\n`;

it('the workspace finds the definitions of many objects while it reads each document once', () => {
  const workspace = new Workspace();
  workspace.set('a', `${definition('Widget')}${'---\na: 1\n'.repeat(1000)}`);
  const looks = vi.spyOn(workspace, 'definition');
  for (let i = 0; i < 1000; i++) workspace.definitionOf('other/v1', 'Gadget');
  expect(workspace.definitionOf('example.com/v1', 'Widget')).toBeDefined();
  expect(looks).toHaveBeenCalledTimes(1001);
});

it('the workspace uses only the definitions of the texts that are open now', () => {
  const workspace = new Workspace();
  const found = () => workspace.definitionOf('example.com/v1', 'Widget')?.object?.['kind'];
  expect(found()).toBeUndefined();
  workspace.set('a', definition('Widget'));
  expect(found()).toBe('CustomResourceDefinition');
  workspace.set('a', definition('Gadget'));
  expect(found()).toBeUndefined();
  workspace.set('b', definition('Widget'));
  workspace.delete('b');
  expect(found()).toBeUndefined();
});
