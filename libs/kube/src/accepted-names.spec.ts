import { expect, it } from 'vitest';
import { ClaimedNames } from './accepted-names.ts';
import type { ResourceNames } from './accepted-names.ts';

const WIDGETS: ResourceNames = { plural: 'widgets', singular: 'widget', shortNames: ['wd', 'w'], kind: 'Widget', listKind: 'WidgetList' };

it('a server accepts names that no other definition has, and reports the last conflict', () => {
  const claimed = new ClaimedNames();
  expect(claimed.claim(WIDGETS)).toEqual({ accepted: true });
  expect(
    claimed.claim({ ...WIDGETS, plural: 'wheels', singular: 'wheel', shortNames: ['w', 'wh', 'wd'], kind: 'Wheel', listKind: 'WheelList' }),
  ).toEqual({
    accepted: false,
    reason: 'ShortNamesConflict',
    message: '["w" is already in use, "wd" is already in use]',
  });
  expect(claimed.claim({ plural: 'w', singular: 'wheel', shortNames: [], kind: 'Widget', listKind: 'WList' })).toEqual({
    accepted: false,
    reason: 'KindConflict',
    message: '"Widget" is already in use',
  });
});

it('a server compares plural names and kinds separately, and does not count rejected names', () => {
  const claimed = new ClaimedNames();
  claimed.claim(WIDGETS);
  claimed.claim({ ...WIDGETS, plural: 'gadgets', singular: 'gadget', shortNames: ['wd', 'gd'], kind: 'Gadget', listKind: 'widgets' });
  expect(claimed.claim({ plural: 'gd', singular: 'g', shortNames: [], kind: 'gadgets', listKind: 'gadget' })).toEqual({ accepted: true });
});

it('a server keeps the names of an updated definition, and frees the names that the update removes', () => {
  const claimed = new ClaimedNames();
  claimed.claim(WIDGETS);
  const renamed = { ...WIDGETS, shortNames: ['w'] };
  expect(claimed.update(WIDGETS, renamed)).toEqual({ accepted: true });
  expect(claimed.claim({ plural: 'wd', singular: 'wdd', shortNames: [], kind: 'Wd', listKind: 'WdList' })).toEqual({ accepted: true });
});
