import { EXPRESSION_COST_LIMIT, MINORS, SCHEMA_COST_LIMIT } from '#kube';
import type { Minor } from '#kube';
import { roughPercent } from '#numbers';
import { cutText, jsonText } from '#report';
import { minorsText } from '../report/version-matrix.ts';
import { fieldOf } from './tracked-definition.ts';
import type { TrackedDefinition } from './tracked-definition.ts';

/** Functions that produce the forms for tools that track benchmarks, in the order in which the help lists them. */
const FORMS = {
  bencher: bencherMetrics,
  'github-action-benchmark': actionBenchmark,
  badge,
} satisfies Readonly<Record<string, (definitions: readonly TrackedDefinition[]) => object>>;

/** Name of a form for tools that track benchmarks, one of {@link TRACKING_FORMS}. */
export type TrackingForm = keyof typeof FORMS;
/** Forms for tools that track benchmarks. */
export const TRACKING_FORMS = Object.keys(FORMS) as readonly TrackingForm[];
/** Returns true if the name of an output format is one of {@link TRACKING_FORMS}. */
export const isTrackingForm = (form: string): form is TrackingForm => Object.hasOwn(FORMS, form);

/** Returns the figures of definitions in a form for tools that track benchmarks, as a JSON text. */
export const trackingText = (form: TrackingForm, definitions: readonly TrackedDefinition[]): string =>
  `${jsonText(FORMS[form](definitions))}\n`;

/** One figure that is tracked. Its name stays the same if the rule moves in the list of its node. */
interface Figure {
  readonly name: string;
  readonly text: string;
  readonly estimate: number;
  /** Estimate in per cent of its limit. */
  readonly percent: number;
  readonly found?: number | undefined;
}

/** Maximum length in characters of a name. Source: Bencher 0.5, Bencher Metric Format. */
const MAX_NAME = 1024;
/** Maximum length in characters of the part of a name that is the text of a rule. */
const RULE_LENGTH = 160;

function figuresOf(definitions: readonly TrackedDefinition[]): readonly Figure[] {
  const seen = new Map<string, number>();
  return definitions.flatMap(({ name, rules, totals }) => [
    ...totals.map(({ version, cost }) => figure(seen, `${name} ${version} all rules`, 'all rules of the version', cost, SCHEMA_COST_LIMIT)),
    ...rules.flatMap(({ version, path, rule, estimate, found }) => {
      if (estimate === undefined) return [];
      const text = rule.replace(/\s+/g, ' ').trim();
      const field = fieldOf(path);
      const title = `${name} ${version} ${field === '' ? '(root)' : field}: ${cutText(text, RULE_LENGTH)}`;
      return [{ ...figure(seen, title, text, estimate, EXPRESSION_COST_LIMIT), ...(found !== undefined && { found }) }];
    }),
  ]);
}

/** Returns a figure. A name that an earlier figure has gets a number. */
function figure(seen: Map<string, number>, title: string, text: string, cost: string, limit: bigint): Figure {
  const name = cutText(title, MAX_NAME - 16);
  const count = (seen.get(name) ?? 0) + 1;
  seen.set(name, count);
  const percent = Number(((100 * Number(cost)) / Number(limit)).toPrecision(6));
  return { name: count === 1 ? name : `${name} #${count}`, text, estimate: Number(cost), percent };
}

/**
 * Returns the figures in the Bencher Metric Format. Source: https://bencher.dev/docs/reference/bencher-metric-format, Bencher 0.5. Keys that
 * begin with a number would lose their order, but the order has no meaning.
 */
function bencherMetrics(definitions: readonly TrackedDefinition[]): object {
  return Object.fromEntries(
    figuresOf(definitions).map(({ name, estimate, percent, found }) => [
      name,
      {
        'estimated-cost': { value: estimate },
        'share-of-limit': { value: percent },
        ...(found !== undefined && { 'found-cost': { value: found } }),
      },
    ]),
  );
}

/** Returns the figures for the tool `customSmallerIsBetter`. Source: github.com/benchmark-action/github-action-benchmark v1.20, README.md. */
function actionBenchmark(definitions: readonly TrackedDefinition[]): object {
  return figuresOf(definitions).map(({ name, text, percent, estimate, found }) => ({
    name,
    unit: '% of the limit',
    value: percent,
    extra: `${text}\nestimated cost: ${estimate}${found === undefined ? '' : `\nmost expensive write found: ${found}`}`,
  }));
}

/** Share of a limit from which the badge is yellow. */
const NARROW = 0.5;

/**
 * Returns a badge about one definition, or about the worst of several. Source: https://shields.io/badges/endpoint-badge, schema version 1.
 */
function badge(definitions: readonly TrackedDefinition[]): object {
  const about = { schemaVersion: 1, label: 'Kubernetes' };
  if (definitions.length === 0) return { ...about, message: 'no definition', color: 'lightgrey' };
  const judged = MINORS.filter((minor) => definitions.some(({ accepted }) => accepted.has(minor)));
  const installs = judged.filter((minor) => definitions.every(({ accepted }) => accepted.get(minor) !== false));
  const share = Math.max(0, ...definitions.flatMap(sharesOf));
  const color = installs.length === 0 ? 'red' : installs.length < judged.length ? 'orange' : share > NARROW ? 'yellow' : 'brightgreen';
  return { ...about, message: `${installText(installs)} · ${limitText(share)}`, color };
}

function installText(installs: readonly Minor[]): string {
  if (installs.length === 0) return 'installs on no version';
  return `installs on ${minorsText(installs, MINORS).replaceAll('–', ' to ')}`;
}

/** Share of a limit above which the badge has no number. */
const MAX_SHARE = 10;

const limitText = (share: number): string =>
  share > MAX_SHARE ? `over ${MAX_SHARE} times the limit` : `${roughPercent(share)} of the limit`;

/** Returns the shares of their limits of all rules and of the totals of the versions. */
const sharesOf = ({ rules, totals }: TrackedDefinition): readonly number[] => [
  ...rules.flatMap(({ estimate }) => (estimate === undefined ? [] : [Number(estimate) / Number(EXPRESSION_COST_LIMIT)])),
  ...totals.map(({ cost }) => Number(cost) / Number(SCHEMA_COST_LIMIT)),
];
