import { z } from 'zod';
import { additionsSchema } from './bounds.ts';
import { verdictCausesSchema } from '../verdict/verdict-causes.ts';
import { definitionReportSchema, outcome, policyReportSchema, statusSchema } from '../verdict/verdict.ts';
import type { ExplainedDefinition, ExplainedRule, MeasuredObject, PolicyPrice, PolicyReport } from '../answer-types.ts';

const units = z.string().describe('Cost units, a uint64 as decimal text');

const costRange = z
  .object({ min: units, max: units })
  .meta({ id: 'CostRange', description: 'Lowest and highest estimated cost, in cost units' });

const pricedPart = z
  .object({
    text: z.string().describe('Source text, shortened if too long'),
    line: z.int().describe('Line of the rule in which the text begins, from 1'),
    column: z.int().describe('From 1, in code points'),
    estimate: z
      .object({
        own: costRange.describe('Cost of the part without the parts inside it'),
        total: costRange.describe('Cost with the parts inside it. For a conditional, only the more expensive branch counts'),
        evaluations: z.string().describe('Maximum number of evaluations, a uint64 as decimal text'),
      })
      .describe('Estimates from the schema for one evaluation of the rule'),
    actual: z
      .object({ own: z.number(), total: z.number(), evaluations: z.int() })
      .optional()
      .describe('Cost of the part, and number of its evaluations, in the most expensive evaluation of the rule'),
    get parts() {
      return z.array(pricedPart).describe('Parts inside this part, in source order');
    },
  })
  .meta({
    id: 'PricedPart',
    description:
      "Part of a rule's source text with its estimated cost, its measured cost if objects were evaluated, and the parts inside it",
  });

const boundKeyword = z.enum(['maxItems', 'maxLength', 'maxProperties']);

const costBound = z
  .object({
    path: z.string().describe('Fields that the bound limits, such as spec.rules[*].name'),
    schemaPath: z.string().describe('Path relative to openAPIV3Schema, such as properties[spec].properties[rules].items'),
    keyword: boundKeyword,
    value: z
      .number()
      .nullable()
      .describe('Value of the keyword in the schema; null if the field is unbounded, so that the estimate uses the largest request'),
    drives: z
      .enum(['evaluations', 'size'])
      .describe('Effect of the bound: on the number of evaluations of the rule, or (`size`) on the cost of one evaluation'),
  })
  .meta({
    id: 'CostBound',
    description:
      'Schema bound, such as `maxItems`, that influences the estimated cost of a rule: either the number of its evaluations or the cost of one evaluation',
  });

const suggestion = z
  .object({
    bounds: z
      .array(costBound.omit({ drives: true }).extend({ suggested: z.number() }))
      .describe('Bounds of the suggestion, which are all needed'),
    cost: units.describe('Estimated cost with these bounds'),
  })
  .meta({ id: 'BoundSuggestion', description: 'Schema bounds that together reduce the cost of a rule below its limit' });

const suggestions = z
  .array(suggestion)
  .optional()
  .describe(
    'Present if the cost exceeds its limit. Each suggestion suffices by itself, and only adds missing bounds. The first one belongs to `additions`. Empty if no missing bound helps',
  );

const explainedRule = z
  .object({
    version: z.string(),
    path: z.string().describe('Path relative to openAPIV3Schema, such as properties[spec].x-kubernetes-validations[0]'),
    rule: z.string(),
    maxCost: units.describe('Maximum cost of one evaluation of the rule, in cost units, as estimated from the schema'),
    cardinality: z.string().nullable().describe('Maximum number of evaluations per object; null if a parent is unbounded'),
    totalCost: units.describe(
      'Maximum cost of all evaluations of the rule for one object, in cost units. The server compares it with its limit of 10,000,000',
    ),
    factor: z.number().describe('totalCost ÷ limit; above 1 the server refuses the definition'),
    schemaShare: z.number().describe('totalCost ÷ the limit of all rules of a version together, 100,000,000'),
    usesOldSelf: z.boolean().describe('True for a transition rule, which the server evaluates only for updates'),
    messageMaxCost: units.optional().describe('Maximum cost of one evaluation of the messageExpression, in cost units'),
    messageFactor: z.number().optional().describe('messageMaxCost ÷ limit; above 1 the server refuses the definition'),
    error: z.string().optional().describe('Reason why the rule does not compile'),
    messageError: z.string().optional().describe('Reason why the messageExpression does not compile'),
    bounds: z
      .array(costBound)
      .describe('Bounds on which totalCost depends: first of lists and maps around the rule, then of values that the rule reads'),
    suggestions,
    messageParts: pricedPart.optional().describe('Parts of the messageExpression, like `parts`, but without `actual`'),
    messageBounds: z
      .array(costBound)
      .optional()
      .describe('Bounds on which messageMaxCost depends. The cost is not multiplied by the cardinality'),
    messageSuggestions: suggestions,
    measured: z
      .object({
        objects: z.int().describe('Number of objects in which the rule was evaluated'),
        evaluations: z.int(),
        cost: z.number().describe('Cost units of all evaluations together'),
        costliest: z
          .object({ object: z.int(), at: z.string().describe('The place in the object'), cost: z.number() })
          .describe('Most expensive evaluation. `actual` of the parts is about this evaluation, and the sum of all `own` is `cost`'),
        headroom: z
          .number()
          .nullable()
          .describe('Limit of one evaluation (1,000,000) minus the cost of the most expensive one; null without this limit'),
      })
      .optional()
      .describe('Present if the server evaluated the rule in an object of the request'),
    parts: pricedPart
      .optional()
      .describe('The rule as a tree. Absent if the rule does not compile, or if the definition has very many parts'),
  })
  .meta({ id: 'ExplainedRule', description: 'Rule with the parts of its cost and suggestions that reduce it' });

/** Statically estimated cost of one rule, and the data from which it is computed. */
export type RulePrice = Pick<
  ExplainedRule,
  'version' | 'path' | 'rule' | 'maxCost' | 'cardinality' | 'totalCost' | 'usesOldSelf' | 'messageMaxCost' | 'error' | 'messageError'
>;

const advice = z
  .object({
    id: z.string().describe('The kind of the advice, such as unique-list'),
    versions: z.array(z.string()).readonly().describe('Versions that have the rule or keyword at the same place'),
    path: z.string().describe('Path of the rule, as in `rules`, or of the keyword of a schema, such as properties[spec].pattern'),
    text: z.string(),
    line: z.int().describe('Line of the rule or keyword, from 1'),
    column: z.int().describe('From 1, in code points'),
  })
  .readonly()
  .meta({ id: 'Advice', description: 'A piece of advice about a rule or a schema keyword; `docs/reference/advice.md` lists the kinds' });

/** Schema of {@link ExplainedDefinition}. */
export const explainedDefinition = z
  .object({
    report: definitionReportSchema,
    rules: z
      .array(explainedRule)
      .describe('The most expensive rule first. If its messageExpression costs more than the rule, that cost counts'),
    schemas: z.array(
      z.object({
        version: z.string(),
        cost: units.describe('Estimated cost of all rules of the version together. The limit is 100,000,000'),
        factor: z.number(),
        suggestions,
      }),
    ),
    advice: z.array(advice).readonly().describe('Pieces of advice on the rules; docs/reference/advice.md lists their kinds'),
    additions: additionsSchema
      .optional()
      .describe(
        'Present if a cost exceeds its limit: bounds with which the server, and all servers from the oldest version on, accept all costs',
      ),
    causes: verdictCausesSchema
      .optional()
      .describe('Present if the server refuses the definition and an earlier version of Kubernetes accepts it'),
    measured: z
      .object({
        objects: z.int().describe('Number of objects of the definition in which rules were evaluated'),
        costliest: z
          .object({ object: z.int(), cost: z.number().describe('Cost units; -1 if a cost limit ended the write') })
          .describe('The object whose rules cost most'),
        headroom: z
          .number()
          .nullable()
          .describe('Cost limit of an object (10,000,000) minus the cost of the most expensive object; null without this limit'),
      })
      .optional()
      .describe('Present if rules were evaluated in an object of the request'),
  })
  .meta({ id: 'ExplainedDefinition', description: 'Report of a validated definition, with the cost of each rule divided into its parts' });

/** Response body of `POST /advise`. */
export const adviceAnswer = z
  .object({
    definitions: z.array(explainedDefinition.pick({ report: true, advice: true }).meta({ id: 'AdvisedDefinition' })),
  })
  .meta({ id: 'AdviceAnswer' });
/** Response body of `POST /advise`: the report on each definition, and advice on its rules. */
export interface AdviceAnswer {
  readonly definitions: readonly Pick<ExplainedDefinition, 'report' | 'advice'>[];
}

const measuredObject = z
  .object({
    index: z.int().describe('Position among the objects of the request, from 0'),
    name: z.string().optional(),
    outcome,
    status: statusSchema.optional(),
    celCost: z.number().optional().describe('CEL cost units of the write; -1 if a cost limit ended it'),
  })
  .meta({ id: 'MeasuredObject', description: 'Outcome and CEL cost of the write of one object' });

const costliestRun = z
  .object({ item: z.int().describe('Position of the object among the objects of the request, from 0'), cost: z.number() })
  .readonly()
  .meta({
    id: 'CostliestRun',
    description: 'Highest cost of one evaluation of a policy or of a policy expression, with the object for which it was evaluated',
  });

const expressionPrice = z
  .object({
    part: z.string().describe('matchCondition, validation, messageExpression, auditAnnotation, mutation or variable'),
    index: z.int().describe('Index of the expression in this part of the policy, from 0'),
    name: z.string().optional().describe('Name of a variable, a match condition, or an annotation'),
    evaluations: z.int(),
    cost: z.number(),
    costliest: costliestRun,
    limitShare: z.number().describe('Cost of the most expensive evaluation ÷ limit of one evaluation, from 0 to 1'),
  })
  .readonly()
  .meta({ id: 'ExpressionPrice', description: 'Cost of one policy expression over many requests, in cost units' });

const listGrowth = z
  .object({
    part: z.string(),
    index: z.int(),
    name: z.string().optional(),
    list: z.string().describe('Path of the list, map or text, such as spec.containers'),
    unit: z
      .enum(['elements', 'entries', 'characters'])
      .describe('Unit of the lengths: elements of a list, entries of a map, characters of a text'),
    param: z
      .string()
      .optional()
      .describe('Parameter object that contains the value, as namespace/name. Absent if the object of the request contains it'),
    length: z.int().describe('Current length'),
    cost: z.number().describe('Cost units of the expression with this length'),
    mayGrowTo: z
      .int()
      .nullable()
      .describe('Greatest length with which the expression stays within the limits; null if it does so up to the largest request'),
    largest: z.int().describe('Greatest length that fits into a request of 3 MiB'),
    endsBy: z
      .enum(['limit', 'budget'])
      .optional()
      .describe('The limit that a greater length exceeds: the limit of one evaluation, or the budget that expressions share'),
    isChecked: z
      .boolean()
      .describe('True if Assay evaluated this length and the next one. False if the search ended early; this length is then safe'),
  })
  .readonly()
  .meta({
    id: 'ListGrowth',
    description:
      "Current length and greatest possible length of a list, map or text in the object with the highest cost, or in a parameter object. With the greatest length, a policy's expression still stays within the cost limits.",
  });

const policyPrice = z
  .object({
    policy: z.string(),
    evaluations: z.int().describe('Number of evaluations of the policy, one for each binding and parameter that applied'),
    cost: z.number(),
    costliest: costliestRun,
    budgetShare: z
      .number()
      .describe(
        'Cost of the most expensive evaluation ÷ budget of the validations, from 0 to 1. Audit annotations have their own budget of the same size',
      ),
    expressions: z.array(expressionPrice).readonly().describe('Expressions of the policy, the most expensive first'),
    growth: z
      .array(listGrowth)
      .readonly()
      .optional()
      .describe(
        'Lists, maps and texts with which the cost of an expression grows, in the most expensive object. Absent if the search took too long',
      ),
  })
  .readonly()
  .meta({ id: 'PolicyPrice', description: 'Cost of a policy over many requests, in cost units' });

/** Response body of `POST /explain`. */
export const explanationAnswer = z
  .object({
    definitions: z.array(explainedDefinition),
    objects: z.array(measuredObject),
    policyReports: z.array(policyReportSchema).optional().describe("The server's answer to the creation of each policy and binding"),
    policies: z
      .array(policyPrice)
      .optional()
      .describe('Costs of the admission policies in the writes of the objects. Absent if there are no policies'),
  })
  .meta({ id: 'ExplanationAnswer' });

/** Explanation of the costs of definitions and policies, with the objects that were used to measure these costs. */
export interface Explanation {
  readonly definitions: readonly ExplainedDefinition[];
  readonly objects: readonly MeasuredObject[];
  /** Server's answer to the creation of each policy and binding. Absent if there are no policies, or if their review was stopped. */
  readonly policyReports?: readonly PolicyReport[];
  /** Costs of the policies. Absent if there are no policies. */
  readonly policies?: readonly PolicyPrice[];
}
