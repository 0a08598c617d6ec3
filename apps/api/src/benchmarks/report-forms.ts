import type { FastifyReply, FastifyRequest } from 'fastify';
import Negotiator from 'negotiator';
import type { StudyReport } from '#benchmark';
import { notAcceptableStatus, notFoundStatus, tooLargeStatus } from '#kube';
import { StatusFailure } from '../status.filter.ts';
import { wholeAnswer } from '../whole-answer.ts';

/** Media types of a report. The first type is sent if the client accepts every type. */
const REPORT_TYPES = ['application/json', 'text/html', 'image/svg+xml'] as const;

/** OpenAPI schemas of the two graphical forms of a study report, by media type: an HTML page, and a chart. */
export const PICTURES = {
  'text/html': { schema: { type: 'string', description: 'A page without script' } },
  'image/svg+xml': { schema: { type: 'string', description: 'A chart; 404 if no cost grows with a size, as far as is known' } },
} as const;

/** Maximum number of rules on an HTML page. Rendering a page blocks the process that serves all clients; 178 rules take 0.1 s. */
const MAX_RULES = 1000;

/** Content security policy of a chart. A chart contains a style sheet and loads nothing. */
const CHART_POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";

/**
 * Sends a report in the media type that the client prefers. Throws the 406 failure if the client accepts none of the media types. Throws
 * the 404 failure if the report has no data for a chart, and the 413 failure if the answer is too long.
 */
export async function sendReport(
  report: StudyReport,
  { headers: { accept = '*/*' } }: FastifyRequest,
  reply: FastifyReply,
  maxBytes: number,
): Promise<void> {
  const type = new Negotiator({ headers: { accept } }).mediaType([...REPORT_TYPES]);
  switch (type) {
    case 'application/json':
      return void reply.send(await wholeAnswer(reply, report, maxBytes));
    case 'text/html':
      return sendPage(report, reply);
    case 'image/svg+xml':
      return void shown(reply, CHART_POLICY)
        .type('image/svg+xml')
        .send(await chartOf(report));
    case undefined:
      throw new StatusFailure(notAcceptableStatus(`only ${REPORT_TYPES.join(', ')} can be produced`));
  }
}

/** Sets the content security policy of an answer that a browser displays. No other page may show the answer in a frame. */
const shown = (reply: FastifyReply, policy: string): FastifyReply =>
  reply.header('content-security-policy', `${policy}; frame-ancestors 'none'`);

async function sendPage(report: StudyReport, reply: FastifyReply): Promise<void> {
  if (report.rules.length > MAX_RULES)
    throw new StatusFailure(tooLargeStatus(`a page has at most ${MAX_RULES} rules: choose some of them with ?rule=`));
  const { STUDY_PAGE_POLICY, studyPage } = await drawing();
  shown(reply, STUDY_PAGE_POLICY).type('text/html; charset=utf-8').send(studyPage(report));
}

async function chartOf(report: StudyReport): Promise<string> {
  const { dearestChart } = await drawing();
  const chart = dearestChart(report);
  if (chart !== undefined) return chart;
  throw new StatusFailure(notFoundStatus({ group: 'assay', resource: 'charts' }, 'cost'));
}

/** Loads the module that draws reports. Its libraries have 400 files, so a service loads them with the first report in such a form. */
const drawing = () => import('#report/study-page');
