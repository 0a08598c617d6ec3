import type { FastifyReply, FastifyRequest } from 'fastify';
import Negotiator from 'negotiator';
import type { StudyReport } from '#benchmark';
import { notAcceptableStatus, notFoundStatus } from '#kube';
import { dearestChart, STUDY_PAGE_POLICY, studyPage } from '#study-report/page';
import { StatusFailure } from '../status.filter.ts';

/** Media types of a report; the first one if the client takes all. */
const REPORT_TYPES = ['application/json', 'text/html', 'image/svg+xml'] as const;

/** The forms for people, for the description of the API. */
export const PICTURES = {
  'text/html': { schema: { type: 'string', description: 'A page without script' } },
  'image/svg+xml': { schema: { type: 'string', description: 'A chart; 404 if no cost grows with a size, as far as is known' } },
} as const;

/** The policy of a chart: it has a style sheet, and asks for nothing. */
const CHART_POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";

/** Sends a report in the form that the client prefers. Throws the 406 if it takes none, and the 404 if there is nothing to draw. */
export function sendReport(report: StudyReport, { headers: { accept = '*/*' } }: FastifyRequest, reply: FastifyReply): void {
  const type = new Negotiator({ headers: { accept } }).mediaType([...REPORT_TYPES]);
  switch (type) {
    case 'application/json':
      return void reply.send(report);
    case 'text/html':
      return void shown(reply, STUDY_PAGE_POLICY).type('text/html; charset=utf-8').send(studyPage(report));
    case 'image/svg+xml':
      return void shown(reply, CHART_POLICY).type('image/svg+xml').send(chartOf(report));
    case undefined:
      throw new StatusFailure(notAcceptableStatus(`only ${REPORT_TYPES.join(', ')} can be produced`));
  }
}

/** Lets a browser show an answer by a policy of its own; no other page may frame it. */
const shown = (reply: FastifyReply, policy: string): FastifyReply =>
  reply.header('content-security-policy', `${policy}; frame-ancestors 'none'`);

function chartOf(report: StudyReport): string {
  const chart = dearestChart(report);
  if (chart !== undefined) return chart;
  throw new StatusFailure(notFoundStatus({ group: 'assay', resource: 'charts' }, 'cost'));
}
