import { summaryOf } from '../../../../emulator/study/summary';
import { checkedOutcome, summaryFault } from '../../../../emulator/study/summary-fault';
import { RESULT } from '../../../support/result';

const SUMMARY = summaryOf(RESULT);

test.each([
  ['{}', ' is missing'],
  ['[]', 'wanted an object'],
  ['null', 'wanted an object'],
  ['7', 'wanted an object'],
  ['{', 'no JSON'],
  [JSON.stringify({ ...SUMMARY, allFlows: {} }), 'allFlows.flows'],
  [JSON.stringify({ ...SUMMARY, allFlows: { ...SUMMARY.allFlows, flows: 'x' } }), 'allFlows.flows'],
])('attack 13: the row %s is no outcome of a cell', (text, reason) => {
  expect(summaryFault(text)).toMatch(/^what is stored as its summary is none:/);
  expect(summaryFault(text)).toContain(reason);
  const provenance = { version: 'v', commit: 'c', host: 'h', durationMs: 1, memoryBytes: 1 };
  const counted = checkedOutcome({ cell: 'a', summary: text, provenance });
  expect(counted).toEqual({ cell: 'a', reason: summaryFault(text), provenance });
});

test('a summary is one', () => {
  expect(summaryFault(JSON.stringify(SUMMARY))).toBeUndefined();
});
