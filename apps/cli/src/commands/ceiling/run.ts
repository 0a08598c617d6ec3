import type { BoundCeiling, EvaluationOptions } from '#documents';
import { MINORS } from '#kube';
import type { Minor } from '#kube';
import { grouped } from '#numbers';
import { shownInLine } from '#report';
import { findCeilings } from '#service';
import { documentsOf } from '../../documents/read-documents.ts';
import { readInputs } from '../../documents/read-inputs.ts';
import { reportUnreadable } from '../../documents/unreadable-documents.ts';
import type { CommandSettings } from '../../options/shared-options.ts';
import { fittedTable, tableWidth } from '../../report/fitted-table.ts';
import type { OutputForm } from '../../report/forms.ts';
import { print } from '../../report/print.ts';
import { minorsText } from '../../report/version-matrix.ts';
import { EXIT, UsageError } from '../../usage.ts';
import type { RunContext } from '../command.ts';

/** Parsed arguments of `assay ceiling`, which shows how far a bound may rise. */
export interface CeilingArguments extends CommandSettings {
  readonly paths: readonly string[];
  /** Field of the bound, such as `spec.list` or `spec.list.maxItems`. */
  readonly field: string;
  /** Minor versions that are asked, the oldest first. */
  readonly minors: readonly Minor[];
  readonly output: OutputForm;
  readonly options: EvaluationOptions;
}

/** Ceilings of one bound in one definition. */
interface DefinitionCeilings {
  readonly source: string;
  readonly ceilings: readonly BoundCeiling[];
}

/**
 * Runs `assay ceiling`: shows how far a bound may rise before a server of each minor version refuses a definition. Resolves with the exit
 * status. It is 1 if a server refuses a definition already now.
 */
export async function runCeiling(command: CeilingArguments, { engine, reportProblem }: RunContext): Promise<number> {
  const { definitions, objects } = await documentsOf(await readInputs(command.paths, reportProblem, command.reading), engine);
  await reportUnreadable(objects, command.options, engine, reportProblem);
  if (definitions.length === 0) throw new UsageError('no CustomResourceDefinition was found');
  const { field, keyword } = fieldOf(command.field);
  const found: DefinitionCeilings[] = [];
  for (const { source, slice } of definitions) {
    const ceilings = await findCeilings(engine, slice, { ...command, field });
    if (ceilings === undefined) throw new UsageError(`${source}: the definition ended the engine`);
    if (ceilings.length > 0) found.push({ source, ceilings });
  }
  const first = found[0]?.ceilings[0];
  if (first === undefined) throw new UsageError(`--field ${field}: no definition has such a list, map or text; elements are written [*]`);
  if (keyword !== undefined && keyword !== first.keyword) throw new UsageError(`--field ${command.field}: ${field} has ${first.keyword}`);
  print(command.output, { definitions: found }, () => ceilingsText(found));
  return found.every(({ ceilings }) => ceilings.every(({ fitsNow }) => fitsNow)) ? EXIT.ok : EXIT.rejected;
}

/** Returns the field and the keyword of a bound such as `spec.rules[].name.maxLength`. The keyword is undefined if it is not given. */
function fieldOf(text: string): { readonly field: string; readonly keyword: string | undefined } {
  const [, field = text, keyword] = /^(?:(.*)\.)?(maxItems|maxLength|maxProperties)$/.exec(text) ?? [];
  return { field: field.replaceAll('[]', '[*]'), keyword };
}

const FORM = {
  headings: ['VERSION', 'KUBERNETES', 'MAY RISE TO', 'LIMITED BY'],
  toTheRight: new Set<string>(),
  flexible: [['LIMITED BY', 24]],
} as const;

/** Returns the ceilings as a text. Minor versions with the same ceiling share a row. */
function ceilingsText(found: readonly DefinitionCeilings[]): string {
  const lines = found.flatMap(({ source, ceilings }, i) => {
    const same = Map.groupBy(ceilings, (one) => JSON.stringify([one.version, riseText(one), one.limitedBy]));
    const rows = [...same.values()].flatMap((group) =>
      group.slice(0, 1).map((one) => [
        one.version,
        minorsText(
          group.map(({ minor }) => minor),
          MINORS,
        ),
        riseText(one),
        one.limitedBy ?? '',
      ]),
    );
    const now = [...new Set(ceilings.map(({ value }) => (value === null ? 'missing' : grouped(value))))].join(', ');
    const about = ceilings.slice(0, 1).map(({ path, keyword }) => `${path}: ${keyword}`);
    return [
      ...(i > 0 ? [''] : []),
      shownInLine(`${source}: ${about.join('')} (now ${now})`),
      ...fittedTable(FORM, rows, tableWidth()).map((line) => shownInLine(line)),
    ];
  });
  return `${lines.join('\n')}\n`;
}

function riseText({ kind, highest, fitsNow }: BoundCeiling): string {
  if (kind === 'unlimited') return 'any value';
  if (kind === 'refused') return 'no value helps';
  return `${grouped(highest ?? 0)}${fitsNow ? '' : ' (too large now)'}`;
}
