import type { EvaluationOptions, ExplainedDefinition, ExplainedRule, Explanation, MeasuredObject, PolicyReport } from '#documents';
import type { Engine } from '#runner';
import { explain } from '#service';
import { schemaField, UndefinedFields } from '#editing';
import { placeAdvice, placeReport } from '../../evaluation/place-findings.ts';
import type { PlacedAdvice, UnwantedAdvice, FileLocation, PlacedReport } from '../../evaluation/place-findings.ts';
import { envelopeOf } from '../../documents/read-documents.ts';
import type { PlacedBatch, PlacedDocument } from '../../documents/read-documents.ts';

/**
 * Explanation of the costs of definitions and policies. The definitions, and the objects that were used to measure costs, have their
 * locations in files.
 */
export interface PlacedExplanation extends Omit<Explanation, 'definitions' | 'objects' | 'policyReports'> {
  readonly policyReports?: readonly (PolicyReport & PlacedReport)[];
  readonly definitions: readonly PlacedDefinition[];
  readonly objects: readonly (MeasuredObject & PlacedReport)[];
}

/** Explained definition, with its location in a file and the locations of its rules. */
export interface PlacedDefinition extends Omit<ExplainedDefinition, 'rules' | 'advice'>, PlacedReport {
  readonly rules: readonly (ExplainedRule & { readonly location?: FileLocation })[];
  readonly advice: readonly PlacedAdvice[];
}

/**
 * Returns the cost of every rule, divided into its parts, and the measured cost of each rule in the given objects. Also returns the costs
 * of the admission policies for writing these objects. The results contain file locations, and omit the advice in `unwanted`.
 */
export async function explainDocuments(
  documents: PlacedBatch,
  options: EvaluationOptions,
  host: Engine,
  unwanted: UnwantedAdvice = [],
): Promise<PlacedExplanation> {
  const { policyReports, ...explanation } = await explain(host, envelopeOf(documents, options));
  const undefinedFields = new UndefinedFields(policyReports);
  return {
    ...explanation,
    ...(policyReports && { policyReports: policyReports.map((report) => placeReport(report, documents.policyDocuments?.[report.index])) }),
    definitions: explanation.definitions.map((definition, i) => placeDefinition(definition, documents.definitions[i], unwanted)),
    objects: explanation.objects.map((object, i) => placeObject(object, documents.objects[i], undefinedFields)),
  };
}

function placeObject(
  object: MeasuredObject,
  document: PlacedDocument | undefined,
  undefinedFields: UndefinedFields,
): MeasuredObject & PlacedReport {
  const { source, location, findings } = placeReport({ status: object.status, warnings: [] }, document, undefinedFields);
  return { source, ...(location && { location }), ...(findings && { findings }), ...object };
}

function placeDefinition(
  definition: ExplainedDefinition,
  document: PlacedDocument | undefined,
  unwanted: UnwantedAdvice,
): PlacedDefinition {
  const { source, location, findings } = placeReport(definition.report, document);
  const placed = {
    source,
    ...(location && { location }),
    ...(findings && { findings }),
    ...definition,
    advice: placeAdvice(definition.advice, document, unwanted),
  };
  if (document?.place === undefined) return placed;
  const { file, origin } = document.place;
  const text = file.text.document(origin);
  const rules = definition.rules.map((rule) => {
    const range = text.rangeOf(`${schemaField(rule.version, text)}.${rule.path}.rule`);
    return range === undefined ? rule : { ...rule, location: { file: file.name, line: range.line, column: range.column } };
  });
  return { ...placed, rules };
}
